import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryOf, run, watch } from '../../../web/src/parts/query-cache.ts'

const nothing = (): void => {}
const tick = () => new Promise((resolve) => setTimeout(resolve, 0))

/** A load that ends only when it is cancelled or `end` is called. */
function slowLoad(id: string) {
  const query = queryOf<string>(id)
  const { promise, resolve } = Promise.withResolvers<string>()
  const signals: AbortSignal[] = []
  const loading = run(query, (signal) => {
    signals.push(signal)
    return promise
  })
  return { query, signals, loading, end: resolve }
}

test('a load goes on when its last watcher is replaced at once, and its value stays shared', async () => {
  const { query, signals, loading, end } = slowLoad('replaced')
  const endFirst = watch(query, nothing)
  endFirst()
  const endSecond = watch(query, nothing)
  await tick()
  assert.equal(signals[0]?.aborted, false)
  assert.equal(queryOf('replaced'), query)
  end('value')
  await loading
  assert.deepEqual([query.value, query.isLoading], [{ of: 'value' }, false])
  endSecond()
})

test('without watchers a load is cancelled and dropped, and a new watcher loads it again', async () => {
  const { query, signals } = slowLoad('left')
  watch(query, nothing)()
  await tick()
  assert.equal(signals[0]?.aborted, true)
  assert.notEqual(queryOf('left'), query)
  assert.deepEqual([query.isLoading, query.controller], [true, undefined], 'not as if a load were in flight')
})
