/** The names of environment variables that are settings, and the nearest of them to a misspelt one. */
import { settings } from './settings.ts'

/** `NAME` of every setting, and `NAME_FILE` of every secret. */
export const variables: ReadonlySet<string> = new Set(
  Object.values(settings).flatMap((setting) =>
    'isSecret' in setting ? [setting.name, `${setting.name}_FILE`] : [setting.name],
  ),
)

/** Names of at least this length may differ in two places, and in case; shorter ones in one, after the first three characters. */
const LONG_NAME = 10
const PREFIX_OF_SHORT_NAMES = 3
const NEVER = -1

/** @returns the setting that the name of a variable misspells; undefined for a setting, and for foreign variables */
export function nearestSetting(name: string): string | undefined {
  if (variables.has(name)) return undefined
  return nearest(name.toUpperCase(), (known) => {
    if (known.length >= LONG_NAME) return 2
    return name.startsWith(known.slice(0, PREFIX_OF_SHORT_NAMES)) ? 1 : NEVER
  })
}

/** @returns the rate limit whose name is most like this one */
export function nearestRateLimit(name: string): string | undefined {
  return nearest(name, (known) => (known.startsWith('RATE_LIMIT') ? name.length / 4 : NEVER))
}

function nearest(name: string, tolerance: (known: string) => number): string | undefined {
  let best: string | undefined
  let least = Infinity
  for (const known of variables) {
    const limit = tolerance(known)
    if (Math.abs(known.length - name.length) > limit) continue
    const edits = editDistance(name, known, limit)
    if (edits > limit || edits >= least) continue
    best = known
    least = edits
  }
  return best
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other. It may give up above `limit`. */
function editDistance(from: string, to: string, limit: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    // Every start of a command compares each variable of its environment with each setting.
    if (Math.min(...last, ...current) > limit) return Infinity
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}
