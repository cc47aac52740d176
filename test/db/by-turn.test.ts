/** What is asked for in one turn is read by one query, and nobody gets what was read before they asked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byTurn } from '../../src/db/by-turn.ts'
import { nextTurn } from '../../src/lib/clock.ts'

/** Questions as they came in batches, and a way to let the answers come. */
function asked() {
  const batches: number[][] = []
  const answering: (() => void)[] = []
  const read = byTurn(async (questions: readonly number[]) => {
    batches.push([...questions])
    await new Promise<void>((resolve) => answering.push(resolve))
    return questions.map((question) => question * 10)
  })
  return { read, batches, answerAll: () => answering.splice(0).forEach((answer) => answer()) }
}

test('all of one turn are one query, and each gets its own answer', async () => {
  const { read, batches, answerAll } = asked()
  const answers = [read(1), read(2), read(1)]
  assert.deepEqual(batches, [], 'before the turn is over')
  await nextTurn()
  assert.deepEqual(batches, [[1, 2, 1]])
  answerAll()
  assert.deepEqual(await Promise.all(answers), [10, 20, 10])
})

test('whoever asks while a query is under way gets another one', async () => {
  const { read, batches, answerAll } = asked()
  const early = read(1)
  await nextTurn()
  const late = read(1)
  answerAll()
  assert.equal(await early, 10)
  await nextTurn()
  assert.deepEqual(batches, [[1], [1]])
  answerAll()
  assert.equal(await late, 10)
})

test('no more than a thousand are one query', async () => {
  const { read, batches, answerAll } = asked()
  const answers = Array.from({ length: 2500 }, (_, n) => read(n))
  await nextTurn()
  assert.deepEqual(batches.map(({ length }) => length), [1000, 1000, 500])
  answerAll()
  assert.deepEqual((await Promise.all(answers)).slice(-1), [24_990])
})

test('a query that fails fails for those who asked, and for nobody after them', async () => {
  let isAway = true
  const read = byTurn(async (questions: readonly number[]) => {
    if (isAway) throw new Error('away')
    return questions
  })
  const failed = await Promise.allSettled([read(1), read(2)])
  assert.deepEqual(failed.map(({ status }) => status), ['rejected', 'rejected'])
  isAway = false
  assert.equal(await read(3), 3)
})
