/** Finds and replaces links in Markdown, except in code. */
import { posix } from 'node:path'

export type Link = Readonly<{ target: string; line: number }>

const CODE = /^(```|~~~)[^]*?^\1[ \t]*$|`[^`\n]+`/gm
const LINK = /(?<=\]\()[^)\s]+(?=\))|(?<=\b(?:href|src|srcset)=")[^"]+(?=")/g

/** Includes links in embedded HTML. */
export function linksIn(markdown: string): Link[] {
  const text = markdown.replace(CODE, (code) => code.replaceAll(/[^\n]/g, ' '))
  return [...text.matchAll(LINK)].map(({ 0: target, index }) => ({
    target,
    line: text.slice(0, index).split('\n').length,
  }))
}

export function withLinks(markdown: string, lead: (target: string) => string): string {
  let end = 0
  const parts = [...markdown.matchAll(CODE)].flatMap(({ 0: code, index }) => {
    const before = markdown.slice(end, index).replaceAll(LINK, lead)
    end = index + code.length
    return [before, code]
  })
  return parts.join('') + markdown.slice(end).replaceAll(LINK, lead)
}

/** The linked file, from the repository's root, and the fragment; undefined: an external link. */
export function resolveLink(source: string, target: string): Readonly<{ file: string; fragment: string }> | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^\//i.test(target)) return undefined
  const [path = '', fragment = ''] = target.split('#')
  return { file: path === '' ? source : posix.join(posix.dirname(source), path), fragment }
}

/** Heading anchors as GitHub makes them; the served pages use the same. */
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

export function anchorsIn(markdown: string): Set<string> {
  const slug = createSlugs()
  const text = markdown.replaceAll(/^```[^]*?^```[ \t]*$/gm, '')
  // Of a link in a heading, only its text counts.
  const headings = [...text.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = '']) =>
    heading.replaceAll(/\]\([^)]*\)/g, ''),
  )
  return new Set(headings.map(slug))
}
