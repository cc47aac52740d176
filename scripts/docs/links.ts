/** The links of a Markdown text: where they lead, and the same text with others. What is code holds no links. */
import { posix } from 'node:path'

/** A link or picture of a text. */
export type Link = Readonly<{ target: string; line: number }>

const CODE = /^(```|~~~)[^]*?^\1[ \t]*$|`[^`\n]+`/gm
const LINK = /(?<=\]\()[^)\s]+(?=\))|(?<=\b(?:href|src|srcset)=")[^"]+(?=")/g

/** Every link of a Markdown text, HTML within it included. */
export function linksIn(markdown: string): Link[] {
  const text = markdown.replace(CODE, (code) => code.replaceAll(/[^\n]/g, ' '))
  return [...text.matchAll(LINK)].map(({ 0: target, index }) => ({
    target,
    line: text.slice(0, index).split('\n').length,
  }))
}

/** The text with every link replaced by what `lead` makes of it. */
export function withLinks(markdown: string, lead: (target: string) => string): string {
  let end = 0
  const parts = [...markdown.matchAll(CODE)].flatMap(({ 0: code, index }) => {
    const before = markdown.slice(end, index).replaceAll(LINK, lead)
    end = index + code.length
    return [before, code]
  })
  return parts.join('') + markdown.slice(end).replaceAll(LINK, lead)
}

/** The file and fragment that a link of a file names, from the root of the repository; undefined: it leads out of it. */
export function resolveLink(source: string, target: string): Readonly<{ file: string; fragment: string }> | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^\//i.test(target)) return undefined
  const [path = '', fragment = ''] = target.split('#')
  return { file: path === '' ? source : posix.join(posix.dirname(source), path), fragment }
}

/** The names of a text's headings, as GitHub makes them and as the served pages have them. */
export function createSlugs(): (heading: string) => string {
  const seen = new Map<string, number>()
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}

/** The anchors of a Markdown text. */
export function anchorsIn(markdown: string): Set<string> {
  const slug = createSlugs()
  const text = markdown.replaceAll(/^```[^]*?^```[ \t]*$/gm, '')
  // Of a link in a heading, what is read.
  const headings = [...text.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = '']) =>
    heading.replaceAll(/\]\([^)]*\)/g, ''),
  )
  return new Set(headings.map(slug))
}
