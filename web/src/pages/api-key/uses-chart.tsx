/** Exchanges and refusals of a key per day, as bars and as a table. */
import { plural } from '../../plural.ts'
import { toUtcDay } from '../../time.ts'
import type { KeyUses } from '../api-access/keys.ts'
import { words } from '../api-key.words.ts'
import styles from './uses-chart.module.css'

/** Units of the drawing; it is stretched to the width of the page. */
const BAR = 10
const GAP = 2
const HEIGHT = 80

export function UsesChart({ days }: Readonly<{ days: KeyUses['days'] }>) {
  const used = days.filter(({ exchanges, refusals }) => exchanges + refusals > 0)
  const most = Math.max(...days.map(({ exchanges, refusals }) => exchanges + refusals))
  const total = (of: 'exchanges' | 'refusals'): number => days.reduce((sum, day) => sum + day[of], 0)
  const [first, last] = [days[0], days.at(-1)]
  if (used.length === 0 || !first || !last) return <p class="soft">{words.uses.none}</p>
  return (
    <div class="panel">
      <div class="stack tight">
        <p class={`row small ${styles.legend}`}>
          <span class={styles.exchanges}>{plural(total('exchanges'), words.uses.exchanges)}</span>
          <span class={styles.refusals}>{plural(total('refusals'), words.uses.refusals)}</span>
        </p>
        <svg
          class={styles.chart}
          viewBox={`0 0 ${days.length * BAR} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {days.map(({ day, exchanges, refusals }, index) => {
            const [ofExchanges, ofRefusals] = [exchanges, refusals].map((count) => (count / most) * HEIGHT)
            const bar = { x: index * BAR + GAP / 2, width: BAR - GAP }
            return (
              <g key={day}>
                <title>{words.uses.onDay(toUtcDay(day), exchanges, refusals)}</title>
                <rect class={styles.room} {...bar} y={0} height={HEIGHT} />
                <rect class={styles.exchanges} {...bar} y={HEIGHT - (ofExchanges ?? 0)} height={ofExchanges ?? 0} />
                <rect
                  class={styles.refusals}
                  {...bar}
                  y={HEIGHT - (ofExchanges ?? 0) - (ofRefusals ?? 0)}
                  height={ofRefusals ?? 0}
                />
              </g>
            )
          })}
        </svg>
        <p class="row apart soft small">
          <span>{toUtcDay(first.day)}</span>
          <span>{toUtcDay(last.day)}</span>
        </p>
        <details class="small">
          <summary>{words.uses.byDay}</summary>
          <table class={styles.table}>
            <thead>
              <tr>
                <th scope="col">{words.uses.day}</th>
                <th scope="col">{words.uses.exchangesColumn}</th>
                <th scope="col">{words.uses.refusalsColumn}</th>
              </tr>
            </thead>
            <tbody>
              {used.toReversed().map(({ day, exchanges, refusals }) => (
                <tr key={day}>
                  <th scope="row">{toUtcDay(day)}</th>
                  <td>{exchanges}</td>
                  <td>{refusals}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </div>
    </div>
  )
}
