import { useState } from 'preact/hooks'
import { Modal } from '../../parts/modal.tsx'
import { useCopied } from '../../parts/use-copied.ts'
import { toDay } from '../../time.ts'
import { useUser } from '../../user.ts'
import { words } from '../payment-links.words.ts'
import type { PaymentLink } from './links.ts'
import { toMoneyText } from './money.ts'
import { QrCode } from './qr-code.tsx'
import styles from './share-link.module.css'

const { sharing } = words

type ShareProps = Readonly<{
  link: PaymentLink
  /** Whether it was created just now. */
  isNew: boolean
  onClose(): void
}>

/** The address of a payment link, and every way to give it to the payer. */
export function ShareLink({ link, isNew, onClose }: ShareProps) {
  const { title, url, original, expiresAt, status } = link
  const [copied, copy, shown] = useCopied<HTMLElement>(url)
  const { value: user } = useUser()
  const [isRefused, setRefused] = useState(false)
  const share = async (): Promise<void> => {
    setRefused(false)
    try {
      await navigator.share({ title, url })
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) setRefused(true)
    }
  }
  const facts = [toMoneyText(original), ...(expiresAt === null ? [] : [sharing.until(toDay(expiresAt))])]
  return (
    <Modal title={isNew ? sharing.ready : sharing.title} onClose={onClose}>
      <p>
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <br />
        <span class="soft">{facts.join(' · ')}</span>
      </p>
      {user?.name === null && (
        <p class="notice">
          {sharing.noName} <a href="/dashboard/profile">{sharing.addName}</a>
        </p>
      )}
      {status !== 'ACTIVE' && <p class="notice warn">{sharing.ended}</p>}
      <div class={styles.ways}>
        <div class="stack">
          <p class={styles.address} aria-label={sharing.address} role="group" tabIndex={0}>
            <code ref={shown}>
              {url.split(/(?<=\/)/).map((part) => (
                <>
                  {part}
                  <wbr />
                </>
              ))}
            </code>
          </p>
          <div class={styles.acts}>
            <button
              type="button"
              class="button"
              autofocus
              aria-label={copied === 'yes' ? sharing.copied : sharing.copy}
              onClick={copy}
            >
              <span role="status">{copied === 'yes' ? sharing.copied : sharing.copy}</span>
            </button>
            {'share' in navigator && (
              <button type="button" class="button plain" onClick={() => void share()}>
                {sharing.share}
              </button>
            )}
            <a class="button plain" href={url} target="_blank" rel="noopener">
              {sharing.open}
              <span class="visually-hidden">{sharing.newTab}</span>
            </a>
          </div>
          <p role="alert" class={`small ${styles.message}`}>
            {copied === 'refused' ? sharing.copyByHand : isRefused && sharing.shareFailed}
          </p>
        </div>
        <QrCode text={url} fileName={fileNameOf(link)} />
      </div>
      <div class="actions">
        <button type="button" class="button plain" onClick={onClose}>
          {sharing.done}
        </button>
      </div>
    </Modal>
  )
}

/** Of letters and digits that every file system takes. */
function fileNameOf({ title, id }: PaymentLink): string {
  const ascii = title.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const parts = ascii.match(/[a-z\d]+/g) ?? [id]
  return ['qr', ...parts].join('-').slice(0, 60)
}
