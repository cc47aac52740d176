import { paths } from '../../page-paths.ts'
import { KeyMark, LinkMark } from '../../parts/icons.tsx'
import { RoundMark } from '../../parts/round-mark.tsx'
import { When } from '../api-access/when.tsx'
import { words } from '../home.words.ts'
import type { Expiry } from './find-expiring.ts'
import styles from '../home.module.css'

const MAX_SHOWN = 8
const pages = { key: paths.profile, link: paths.paymentLinks } as const

type ExpiringProps = Readonly<{
  items: readonly Expiry[]
  /** How many of the payment links were searched; undefined if all. */
  searched: number | undefined
}>

export const Expiring = ({ items, searched }: ExpiringProps) => (
  <>
    {items.length === 0 ? (
      <p class="panel none soft">{words.nothingExpires}</p>
    ) : (
      <ul class={`panel ${styles.rows}`}>
        {items.slice(0, MAX_SHOWN).map(({ kind, id, name, at, isPast }) => (
          <li key={id}>
            <RoundMark>{kind === 'key' ? <KeyMark /> : <LinkMark />}</RoundMark>
            <div class={styles.step}>
              <a href={pages[kind]}>{name}</a>
              <span class="soft small">{words.kinds[kind]}</span>
            </div>
            <span class={`badge ${isPast ? 'bad' : 'warn'}`}>
              {isPast && `${words.expired} `}
              <When at={at} otherwise="" />
            </span>
          </li>
        ))}
      </ul>
    )}
    {items.length > MAX_SHOWN && <p class="soft small">{words.moreExpire(items.length - MAX_SHOWN)}</p>}
    {searched !== undefined && <p class="soft small">{words.searched(searched)}</p>}
  </>
)
