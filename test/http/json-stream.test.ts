/** A JSON object that is written a piece at a time is, to the letter, what it is in one piece; its lists are read as they are taken. */
import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { jsonStream } from '../../src/http/json-stream.ts'
import { turnsDuring } from '../support/process/turns.ts'

async function* pages(...all: readonly unknown[][]): AsyncGenerator<unknown[]> {
  yield* all
}

test('lists of many pages, of one, of none and of empty ones are one list each', async () => {
  const fields = {
    plain: { a: [1, { b: null }], 'quo"te': 'ă' },
    none: pages(),
    empty: pages([], []),
    one: pages(['a']),
    many: pages([1, 2], [], [3], [{ c: 'x,y]' }]),
    last: null,
  }
  const whole = { ...fields, none: [], empty: [], one: ['a'], many: [1, 2, 3, { c: 'x,y]' }] }
  assert.equal(await text(jsonStream(fields)), JSON.stringify(whole))
  assert.equal(await text(jsonStream({ only: pages(['a']) })), '{"only":["a"]}')
})

test('a reader that takes everything at once leaves others a turn after each page', async () => {
  const list = pages(...Array.from({ length: 100 }, (_, n) => [n]))
  const turns = await turnsDuring(() => text(jsonStream({ list })))
  assert.ok(turns >= 100, `${turns} turns`)
})

test('no more pages are read than are taken, and none after the reader has gone', async () => {
  let read = 0
  let isClosed = false
  async function* endless() {
    try {
      for (;;) yield [(read += 1)]
    } finally {
      isClosed = true
    }
  }
  const stream = jsonStream({ list: endless() })
  const iterator = stream[Symbol.asyncIterator]()
  for (let piece = 0; piece < 5; piece += 1) await iterator.next()
  await new Promise((resolve) => setImmediate(resolve))
  assert.ok(read <= 8, `${read} pages read`)
  await iterator.return?.()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isClosed, true)
})

test('a page that cannot be read ends the stream with its error, so that half of it is not taken for all', async () => {
  async function* failing() {
    yield [1]
    throw new Error('the disk is on fire')
  }
  await assert.rejects(text(jsonStream({ list: failing() })), /on fire/)
})
