/** A large JSON object, written a piece at a time: of its long lists only a page is in memory. */
import { Readable } from 'node:stream'
import { nextTurn } from '../lib/clock.ts'

/**
 * The text of a JSON object.
 * @param fields its values; an async iterable is a list that comes in pages, each read when the
 * reader has taken the one before
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
    // A reader that is fast enough never lets anybody else have a turn.
    await nextTurn()
  }
  yield ']'
}

function isPaged(value: unknown): value is AsyncIterable<readonly unknown[]> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
