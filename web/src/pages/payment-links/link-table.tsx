import type { RefObject } from 'preact'
import { CopyIcon } from '../../parts/copy-icon.tsx'
import { useCopied } from '../../parts/use-copied.ts'
import { toDay, toRelative } from '../../time.ts'
import { words } from '../payment-links.words.ts'
import type { PaymentLink } from './links.ts'
import { toMoneyText, toRateText } from './money.ts'
import type { Currency } from './money.ts'
import type { Ending } from './use-ending.ts'
import records from '../../parts/records.module.css'
import styles from '../payment-links.module.css'

const badges = { ACTIVE: 'badge good', INACTIVE: 'badge', EXPIRED: 'badge' } as const
const { column } = words

type TableProps = Readonly<{
  links: readonly PaymentLink[]
  /** The chosen currency. */
  currency: Currency
  /** Whether another list is being loaded. */
  isStale: boolean
  /** Whether the amounts are still in the currency before; they are then covered. */
  isConverting: boolean
  ending: Ending
  /** The link whose anchor is `ref`. */
  focus: Readonly<{ id: string | undefined; ref: RefObject<HTMLAnchorElement | null> }>
  onShare(link: PaymentLink): void
}>

/** On a narrow screen the rows become cards. */
export const LinkTable = ({ links, isStale, ...shared }: TableProps) => (
  <div class={records.place}>
    <table class={`panel ${records.records} ${styles.links}`} aria-label={words.title} aria-busy={isStale}>
      <thead>
        <tr>
          <th scope="col">{column.title}</th>
          <th scope="col">{column.amount}</th>
          <th scope="col">{column.status}</th>
          <th scope="col">
            <span class="visually-hidden">{column.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {links.map((link) => (
          <Row key={link.id} link={link} {...shared} />
        ))}
      </tbody>
    </table>
  </div>
)

type RowProps = Omit<TableProps, 'links' | 'isStale'> & Readonly<{ link: PaymentLink }>

function Row({ link, currency, isConverting, ending, focus, onShare }: RowProps) {
  const state = ending.stateOf(link)
  const act = state === 'undoable' ? words.undo : words.deactivate
  return (
    <tr>
      <th scope="row">
        <span class={`${records.name} ${styles.name}`}>
          <a ref={link.id === focus.id ? focus.ref : null} href={link.url} aria-label={words.open(link.title)}>
            <bdi>{link.title}</bdi>
          </a>
          <CopyAddress link={link} />
        </span>
        <span class={`small soft ${styles.about}`}>
          {link.reference !== null && <bdi>{link.reference}</bdi>}
          <time dateTime={link.createdAt}>{words.created(toDay(link.createdAt))}</time>
        </span>
      </th>
      <td>
        <span class={records['cell-name']}>{column.amount}</span>
        <Amount link={link} currency={currency} isConverting={isConverting} />
      </td>
      <td>
        <span class={records['cell-name']}>{column.status}</span>
        <span class={styles.state}>
          <span class={state ? 'badge warn' : badges[link.status]}>
            {state ? words.ending : words.status[link.status]}
          </span>
          <Expiry link={link} />
        </span>
      </td>
      <td class={records.acts}>
        <button
          type="button"
          class="button plain small"
          aria-label={words.about(words.share, link.title)}
          onClick={() => onShare(link)}
        >
          {words.share}
        </button>
        {/* One button for both, so that the focus stays on it. */}
        {link.status === 'ACTIVE' && (
          <button
            type="button"
            id={endButtonId(link)}
            class={`button plain small ${styles.end}`}
            data-widest={words.deactivate}
            aria-label={words.about(act, link.title)}
            aria-disabled={state === 'called'}
            onClick={() => (state ? ending.undo(link) : ending.start(link))}
          >
            {act}
          </button>
        )}
      </td>
    </tr>
  )
}

export const endButtonId = ({ id }: PaymentLink): string => `end-${id}`

function Expiry({ link: { expiresAt, status } }: Readonly<{ link: PaymentLink }>) {
  if (expiresAt === null || status === 'INACTIVE') return null
  const [inWords, day] = [toRelative(expiresAt), toDay(expiresAt)]
  const isFar = inWords === day
  return (
    <time dateTime={expiresAt} class="small soft">
      {status === 'EXPIRED' ? inWords : isFar ? words.expiresOn(day) : words.expires(inWords)}
      {!isFar && <span>{day}</span>}
    </time>
  )
}

/** Whose rates the amounts are converted at, and of which day: the oldest, should they differ. */
export function RatesNote({ links }: Readonly<{ links: readonly PaymentLink[] }>) {
  const rates = links.flatMap(({ exchangeRate }) => exchangeRate ?? [])
  const oldest = rates.toSorted((one, other) => (one.date < other.date ? -1 : 1))[0]
  if (oldest === undefined) return null
  const isSample = rates.some(({ source }) => source === 'SAMPLE')
  return <p class="small soft">{isSample ? words.sampleRates : words.bankRates(toDay(oldest.date))}</p>
}

type AmountProps = Readonly<{ link: PaymentLink; currency: Currency; isConverting: boolean }>

const Amount = ({ link, currency, isConverting }: AmountProps) => (
  <span class={styles.amount}>
    <strong>{toMoneyText(link.original)}</strong>
    {link.original.currency !== currency && (
      <span class={`small soft ${isConverting ? styles.pending : ''}`}>
        {link.amount === null ? words.noRate : words.converted(toMoneyText(link.amount))}
        {link.exchangeRate && (
          <span>
            1 {link.original.currency} = {toRateText(link.exchangeRate.rate)} {currency}
          </span>
        )}
      </span>
    )}
  </span>
)

function CopyAddress({ link: { url, title } }: Readonly<{ link: PaymentLink }>) {
  const [copied, copy] = useCopied(url)
  return <CopyIcon label={words.copy(title)} copied={copied} byHand={words.copyByHand} onCopy={copy} />
}
