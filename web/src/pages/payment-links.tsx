import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Dashboard } from '../parts/dashboard.tsx'
import { Modal } from '../parts/modal.tsx'
import { LoadFailure } from '../parts/load-failure.tsx'
import { Failure } from '../parts/notice.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { useAction } from '../parts/use-action.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import { words } from './payment-links.words.ts'
import { CreateLink } from './payment-links/create-link.tsx'
import { LinkTable } from './payment-links/link-table.tsx'
import { deactivateLink, listLinks } from './payment-links/links.ts'
import type { PaymentLink } from './payment-links/links.ts'
import { chooseCurrency, chosenCurrency, currencies } from './payment-links/money.ts'
import type { Currency } from './payment-links/money.ts'

type Open = Readonly<{ dialog: 'create'; currency: Currency }> | Readonly<{ dialog: 'deactivate'; link: PaymentLink }>

export function PaymentLinks() {
  const links = useLoaded((signal, currency) => listLinks(currency, signal), chosenCurrency())
  const [open, setOpen] = useState<Open>()
  const [outcome, setOutcome] = useState('')
  // The link that takes the focus: the button that was pressed may be gone.
  const [focusId, setFocusId] = useState<string>()
  const focused = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => focused.current?.focus(), [focusId])
  const close = (): void => setOpen(undefined)
  const finishCreation = async ({ title }: PaymentLink): Promise<void> => {
    await links.reload()
    close()
    setOutcome(words.isCreated(title))
  }
  // In its place, so that the pages that are shown stay.
  const finishDeactivation = ({ id, title }: PaymentLink, status: PaymentLink['status']): void => {
    links.update((list) => ({
      ...list,
      paymentLinks: list.paymentLinks.map((link) => (link.id === id ? { ...link, status } : link)),
    }))
    setFocusId(id)
    close()
    setOutcome(words.isDeactivated(title))
  }
  const showMore = async (): Promise<void> => {
    let firstNewId: string | undefined
    await links.extend(async ({ paymentLinks, nextCursor }, signal) => {
      const next = await listLinks(links.key, signal, nextCursor ?? '')
      firstNewId = next.paymentLinks[0]?.id
      return { ...next, paymentLinks: [...paymentLinks, ...next.paymentLinks] }
    })
    setFocusId(firstNewId)
  }
  const { paymentLinks: all = [], nextCursor = null } = links.value ?? {}
  // A failed load returns to the currency before.
  useEffect(() => chooseCurrency(links.key), [links.key])

  return (
    <Dashboard
      title={words.title}
      aside={
        <button type="button" class="button" onClick={() => setOpen({ dialog: 'create', currency: links.key })}>
          {words.create}
        </button>
      }
    >
      <div class="row apart">
        <p class="soft lead">{words.lead}</p>
        <fieldset class="segments">
          <legend class="visually-hidden">{words.currency}</legend>
          {currencies.map((currency) => (
            <label key={currency}>
              <input
                type="radio"
                class="visually-hidden"
                name="currency"
                checked={currency === links.key}
                onChange={() => {
                  setOutcome('')
                  void links.load(currency)
                }}
              />
              {currency}
            </label>
          ))}
        </fieldset>
      </div>
      <div role="status">{outcome && <p class="notice good">{outcome}</p>}</div>
      <LoadFailure of={links} />
      <p role="status" class="visually-hidden">
        {links.isStale ? words.converting(links.key) : ''}
      </p>
      <Skeleton label={words.loading} isShown={!links.value && !links.error} rows={4} />
      {all.length > 0 && (
        <LinkTable
          links={all}
          isStale={links.isStale}
          focus={{ id: focusId, ref: focused }}
          onDeactivate={(link) => setOpen({ dialog: 'deactivate', link })}
        />
      )}
      {links.value && all.length === 0 && nextCursor === null && <p class="panel none soft">{words.none}</p>}
      {nextCursor !== null && (
        <button
          type="button"
          class="button plain start"
          aria-disabled={links.isLoading}
          onClick={() => void showMore()}
        >
          {words.more}
        </button>
      )}

      {open?.dialog === 'create' && (
        <CreateLink currency={open.currency} onClose={close} onCreated={(link) => void finishCreation(link)} />
      )}
      {open?.dialog === 'deactivate' && (
        <Deactivate link={open.link} onClose={close} onDone={(status) => finishDeactivation(open.link, status)} />
      )}
    </Dashboard>
  )
}

type DeactivateProps = Readonly<{ link: PaymentLink; onClose(): void; onDone(status: PaymentLink['status']): void }>

function Deactivate({ link, onClose, onDone }: DeactivateProps) {
  const action = useAction(async () => {
    onDone(await deactivateLink(link))
  })
  const { deactivating } = words
  return (
    <Modal title={deactivating.title(link.title)} {...(action.isBusy ? {} : { onClose })}>
      <p>{deactivating.text}</p>
      <Failure error={action.error} />
      <div class="actions">
        <button type="button" class="button plain" disabled={action.isBusy} autofocus onClick={onClose}>
          {words.cancel}
        </button>
        <button type="button" class="button danger" aria-disabled={action.isBusy} onClick={() => action.run()}>
          {action.isBusy ? deactivating.acting : deactivating.act}
        </button>
      </div>
    </Modal>
  )
}
