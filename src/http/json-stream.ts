/** Streams a large JSON object with one page of each long list in memory at a time. */
import { Readable } from 'node:stream'
import { nextTurn } from '../lib/clock.ts'

/**
 * @param fields the object's values; an async iterable yields a list page by page, and each page is requested after the
 * reader has consumed the previous one
 */
export function jsonStream(fields: Readonly<Record<string, unknown>>): Readable {
  return Readable.from(objectPieces(fields))
}

async function* objectPieces(fields: Readonly<Record<string, unknown>>): AsyncGenerator<string> {
  let before = '{'
  for (const [name, value] of Object.entries(fields)) {
    yield `${before}${JSON.stringify(name)}:`
    if (isPaged(value)) yield* listPieces(value)
    else yield JSON.stringify(value)
    before = ','
  }
  yield '}'
}

async function* listPieces(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let before = ''
  yield '['
  for await (const page of pages) {
    if (page.length === 0) continue
    yield before + page.map((item) => JSON.stringify(item)).join(',')
    before = ','
    // A fast reader would otherwise block the event loop until the last page.
    await nextTurn()
  }
  yield ']'
}

function isPaged(value: unknown): value is AsyncIterable<readonly unknown[]> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
