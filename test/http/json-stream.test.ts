import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { jsonStream } from '../../src/http/json-stream.ts'
import { turnsDuring } from '../support/process/event-loop-turns.ts'

async function* pages(...all: readonly unknown[][]): AsyncGenerator<unknown[]> {
  yield* all
}

test('lists of many pages, one page, no page and empty pages each become one list', async () => {
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

test('a fast reader yields the event loop after each page', async () => {
  const list = pages(...Array.from({ length: 100 }, (_, n) => [n]))
  const turns = await turnsDuring(() => text(jsonStream({ list })))
  assert.ok(turns >= 100, `${turns} turns`)
})

test('pages are read on demand, and none after the reader has disconnected', async () => {
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

test('an unreadable page ends the stream with its error, so that a truncated answer is not taken as complete', async () => {
  async function* failing() {
    yield [1]
    throw new Error('the disk is on fire')
  }
  await assert.rejects(text(jsonStream({ list: failing() })), /on fire/)
})
