import type { RefObject } from 'preact'
import { CopyIcon } from '../../parts/copy-icon.tsx'
import { useCopied } from '../../parts/use-copied.ts'
import { toDay } from '../../time.ts'
import { words } from '../payment-links.words.ts'
import type { PaymentLink } from './links.ts'
import { toMoneyText, toRateText } from './money.ts'
import records from '../../parts/records.module.css'
import styles from '../payment-links.module.css'

const badges = { ACTIVE: 'badge good', INACTIVE: 'badge', EXPIRED: 'badge' } as const
const { column } = words

type TableProps = Readonly<{
  links: readonly PaymentLink[]
  /** Whether the amounts are in another currency than the chosen one; they are then covered. */
  isStale: boolean
  /** The link whose anchor is `ref`. */
  focus: Readonly<{ id: string | undefined; ref: RefObject<HTMLAnchorElement | null> }>
  onDeactivate(link: PaymentLink): void
}>

/** On a narrow screen the rows become cards. */
export const LinkTable = ({ links, isStale, focus, onDeactivate }: TableProps) => (
  <div class={records.place}>
    <table class={`panel ${records.records}`} aria-label={words.title} aria-busy={isStale}>
      <thead>
        <tr>
          <th scope="col">{column.title}</th>
          <th scope="col">{column.amount}</th>
          <th scope="col">{column.status}</th>
          <th scope="col">{column.created}</th>
          <th scope="col">
            <span class="visually-hidden">{column.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {links.map((link) => (
          <tr key={link.id}>
            <th scope="row">
              <span class={records.name}>
                <a ref={link.id === focus.id ? focus.ref : null} href={link.url} aria-label={words.open(link.title)}>
                  {link.title}
                </a>
                <CopyAddress link={link} />
              </span>
              {link.reference !== null && <span class="small soft">{link.reference}</span>}
            </th>
            <td>
              <span class={records['cell-name']}>{column.amount}</span>
              <Amount link={link} />
            </td>
            <td>
              <span class={records['cell-name']}>{column.status}</span>
              <span class={badges[link.status]}>{words.status[link.status]}</span>
            </td>
            <td>
              <span class={records['cell-name']}>{column.created}</span>
              <time dateTime={link.createdAt}>{toDay(link.createdAt)}</time>
            </td>
            <td class={records.acts}>
              {link.status === 'ACTIVE' && (
                <button
                  type="button"
                  class="button plain small"
                  aria-label={words.about(words.deactivate, link.title)}
                  onClick={() => onDeactivate(link)}
                >
                  {words.deactivate}
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

function rateText({ rate, date, source }: NonNullable<PaymentLink['exchangeRate']>): string {
  return source === 'SAMPLE'
    ? words.sampleRate(toRateText(rate), toDay(date))
    : words.rate(toRateText(rate), toDay(date))
}

const Amount = ({ link: { amount, original, exchangeRate } }: Readonly<{ link: PaymentLink }>) => (
  <span class={styles.amount}>
    <strong>{amount === null ? words.noRate : toMoneyText(amount)}</strong>
    {amount?.currency !== original.currency && (
      <span class="small soft">
        {words.original(toMoneyText(original))}
        {exchangeRate && ` ${rateText(exchangeRate)}`}
      </span>
    )}
  </span>
)

function CopyAddress({ link: { url, title } }: Readonly<{ link: PaymentLink }>) {
  const [copied, copy] = useCopied(url)
  return <CopyIcon label={words.copy(title)} copied={copied} byHand={words.copyByHand} onCopy={copy} />
}
