/** How sections are indexed: the same for the build, which makes the index, and for the page, which reads it. */
import type { Options, SearchOptions } from 'minisearch'

/** A part of a page below one heading, or one row of its tables. */
export type Section = Readonly<{
  /** Its address. */
  id: string
  /** The page's title; empty for the page itself. */
  page: string
  heading: string
  group: string
  text: string
  excerpt: string
}>

/** What an entry of the index still knows of its section. */
export type Found = Pick<Section, 'id' | 'page' | 'heading' | 'group' | 'excerpt'>

/** What a person types without diacritics is found with them, and the reverse. */
const fold = (term: string): string => term.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Developers look for calls more often than for reasons. */
const groupBoosts: Readonly<Record<string, number>> = { Start: 1.5, 'API reference': 2, Guides: 1.5, Background: 0.5 }

/** Words of a question that say nothing about its subject. */
const stopWords = new Set('a an and are can do does for how i in is it my of on the to what where with you'.split(' '))

export const searchOptions: Options<Section> = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['page', 'heading', 'group', 'excerpt'],
  processTerm: fold,
  searchOptions: {
    boost: { heading: 5, page: 2 },
    boostDocument: (_id, _term, stored) => groupBoosts[String(stored?.['group'])] ?? 1,
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
    processTerm: (term) => (stopWords.has(fold(term)) ? null : fold(term)),
  },
}

/** For a query that is found nowhere: any of its words, and letters that changed places. */
export const laxOptions: SearchOptions = {
  combineWith: 'OR',
  fuzzy: (term) => (term.length > 4 ? 2 : false),
}
