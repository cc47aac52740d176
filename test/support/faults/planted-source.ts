/**
 * Loaded into a test's process (`--import`): replaces code of the service before it is compiled. PLANTED names the
 * replacements; see `plantedIn`.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** `path` from the repository's root. */
export type Planted = Readonly<{ path: string; right: string; wrong: string }>

/** Environment and Node option of a process that runs with these replacements. */
export function plantedIn(planted: readonly Planted[]): { env: Record<string, string>; option: string } {
  return { env: { PLANTED: JSON.stringify(planted) }, option: `--import=${import.meta.filename}` }
}

/** Replaces `right`, which must occur once; any line breaks may stand between its tokens. */
export function plant(text: string, { right, wrong }: Planted): string {
  const tokens = right.match(/\w+|[^\w\s]/g) ?? []
  const inAnyLayout = new RegExp(tokens.map((token) => RegExp.escape(token)).join('\\s*,?\\s*'))
  if (text.split(inAnyLayout).length !== 2) throw new Error(`${right} must occur exactly once`)
  return text.replace(inAnyLayout, () => wrong)
}

const all = JSON.parse(process.env['PLANTED'] ?? '[]') as readonly Planted[]
if (all.length > 0) {
  registerHooks({
    load(url, context, nextLoad) {
      const here = all.filter(({ path }) => url.endsWith(`/${path}`))
      if (here.length === 0) return nextLoad(url, context)
      const source = here.reduce(plant, readFileSync(new URL(url), 'utf8'))
      return { format: 'module-typescript', shortCircuit: true, source }
    },
  })
}
