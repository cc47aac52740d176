/** The search index: each section of each page, found by its heading and, on the pages for users, by its text. */
import MiniSearch from 'minisearch'
import { searchOptions } from '../../web/src/docs/search-options.ts'
import type { Section } from '../../web/src/docs/search-options.ts'
import { createSlugs } from './links.ts'
import { BACKGROUND } from './pages.ts'

/** The beginning of a section, shown below its heading. */
const EXCERPT_LENGTH = 120

const FENCED = /^(```|~~~)[^]*?^\1[ \t]*$/gm

/** @param group the group of the navigation that the page is in */
export type SearchedPage = Readonly<{ path: string; markdown: string; group: string }>

export function searchIndexOf(pages: readonly SearchedPage[]): string {
  const index = new MiniSearch(searchOptions)
  index.addAll(pages.flatMap(sectionsOf))
  return JSON.stringify(index)
}

export function sectionsOf({ path, markdown, group }: SearchedPage): Section[] {
  const slug = createSlugs()
  const parts = markdown
    .replaceAll(FENCED, '')
    .split(/^(?=#{1,6} )/m)
    .filter((part) => part.startsWith('#'))
  const sections = parts.map((part): Part => {
    const [first = '', ...rest] = part.split('\n')
    const [, hashes = '', title = ''] = /^(#+) +(.+?) *$/.exec(first) ?? []
    const anchor = slug(title.replaceAll(/\]\([^)]*\)/g, ''))
    // Reasons and history are found by their headings: their text would be two fifths of the index.
    const text = group === BACKGROUND ? '' : plain(rest.join('\n'))
    return { isPage: hashes === '#', anchor, heading: plain(title), text }
  })
  const page = sections[0]?.heading ?? ''
  const rows = group === BACKGROUND ? [] : constantsIn(markdown)
  // The sections of a decision have the same headings in all of them: Context, Decision, Cost.
  const found = path.startsWith('/docs/decisions/') ? sections.slice(0, 1) : [...sections, ...rows]
  return found.map(({ isPage, anchor, heading, text }) => ({
    id: isPage ? path : `${path}#${anchor}`,
    page: isPage ? '' : page,
    heading,
    group,
    text,
    excerpt: shortened(text),
  }))
}

type Part = Readonly<{ isPage: boolean; anchor: string; heading: string; text: string }>

/** The rows of tables that begin with a constant, which is an anchor of the page: settings. */
function constantsIn(markdown: string): Part[] {
  const rows = [...markdown.matchAll(/^\| `([A-Z][A-Z\d_]+)` \|(.*)$/gm)].map(
    ([, name = '', text = '']) => [name, text] as const,
  )
  // As on the page, only the first has the anchor.
  return [...new Map(rows.toReversed())].map(([name, text]) => ({
    isPage: false,
    anchor: name,
    heading: name,
    text: plain(text),
  }))
}

function plain(markdown: string): string {
  return markdown
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\|[-|: ]+\|$/gm, '')
    .replaceAll(/[`*|]|^[->#]+ /gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function shortened(text: string): string {
  if (text.length <= EXCERPT_LENGTH) return text
  return `${text.slice(0, EXCERPT_LENGTH).replace(/\s+\S*$/, '')}…`
}
