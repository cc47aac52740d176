import { LinkMark } from '../../parts/icons.tsx'
import { words } from '../payment-links.words.ts'
import { toMoneyText } from './money.ts'
import type { Currency } from './money.ts'
import styles from '../payment-links.module.css'

const { empty, nothing } = words

/** Shown while the account has no payment links: what one is, and what a payer sees. */
export const NoLinks = ({ currency, onCreate }: Readonly<{ currency: Currency; onCreate(): void }>) => (
  <section class={`panel ${styles.empty}`} aria-labelledby="no-links">
    <div class="stack">
      <span class="sign">
        <LinkMark />
      </span>
      <div class="stack tight">
        <h2 id="no-links">{empty.title}</h2>
        <p class="soft">{empty.text}</p>
      </div>
      <button type="button" class="button start" onClick={onCreate}>
        {empty.act}
      </button>
    </div>
    <figure class={styles.example}>
      <figcaption class="small soft">{empty.caption}</figcaption>
      <div class="card">
        <p>
          <strong>{empty.from}</strong> <span class="soft">{empty.asks}</span>
        </p>
        <p class={styles.price}>{toMoneyText({ value: 245_000, currency })}</p>
        <p>
          <span class="soft">{empty.askedFor}</span> <strong>{empty.for}</strong>
        </p>
        <p class={`small ${styles.until}`}>
          <span class="soft">{empty.validUntil}</span> {empty.day}
        </p>
      </div>
    </figure>
  </section>
)

type NothingProps = Readonly<{ search: string; isToTheEnd: boolean; onClear(): void }>

export const NothingFound = ({ search, isToTheEnd, onClear }: NothingProps) => (
  <section class={`panel ${styles.nothing}`} aria-labelledby="nothing-found">
    <div class="stack">
      <h2 id="nothing-found">{search === '' ? nothing.ofStatus : nothing.of(search)}</h2>
      <p class="soft">{isToTheEnd ? nothing.hint : nothing.soFar}</p>
      <button type="button" class="button plain start" onClick={onClear}>
        {nothing.act}
      </button>
    </div>
  </section>
)
