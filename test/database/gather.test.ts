/** Questions of one turn become one query, and no answer is older than its question. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gather, NotSentError } from '../../src/database/gather.ts'
import { nextTurn } from '../../src/lib/clock.ts'

/** Recorded batches, and a way to release their answers. */
function asked(isSame?: (one: number, other: number) => boolean) {
  const batches: number[][] = []
  const answering: (() => void)[] = []
  const read = gather(
    async (questions: readonly number[]) => {
      batches.push([...questions])
      await new Promise<void>((resolve) => answering.push(resolve))
      return questions.map((question) => question * 10)
    },
    undefined,
    isSame,
  )
  return { read, batches, answerAll: () => answering.splice(0).forEach((answer) => answer()) }
}

test('all questions of one turn are one query, and each gets its own answer', async () => {
  const { read, batches, answerAll } = asked()
  const answers = [read(1), read(2), read(2)]
  assert.deepEqual(batches, [], 'before the turn is over')
  await nextTurn()
  assert.deepEqual(batches, [[1, 2, 2]])
  answerAll()
  assert.deepEqual(await Promise.all(answers), [10, 20, 20])
})

test('a question with the same answer as the one just before it is not asked again; a later one is', async () => {
  const { read, batches, answerAll } = asked(Object.is)
  const answers = [read(1), read(2), read(2), read(1)]
  await nextTurn()
  assert.deepEqual(batches, [[1, 2, 1]])
  const late = read(1)
  answerAll()
  assert.deepEqual(await Promise.all(answers), [10, 20, 20, 10])
  await nextTurn()
  assert.deepEqual(batches, [[1, 2, 1], [1]], 'sent after it was asked')
  answerAll()
  assert.equal(await late, 10)
})

test('a question during a query gets another query', async () => {
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

test('a query has at most a thousand questions', async () => {
  const { read, batches, answerAll } = asked()
  const answers = Array.from({ length: 2500 }, (_, n) => read(n))
  await nextTurn()
  assert.deepEqual(
    batches.map(({ length }) => length),
    [1000, 1000, 500],
  )
  answerAll()
  assert.deepEqual((await Promise.all(answers)).slice(-1), [24_990])
})

test('a failed query fails its own callers and nobody after them', async () => {
  let isAway = true
  const read = gather(
    async (questions: readonly number[]) => {
      if (isAway) throw new Error('away')
      return questions
    },
    undefined,
    Object.is,
  )
  const failed = await Promise.allSettled([read(1), read(1), read(2)])
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  isAway = false
  assert.equal(await read(3), 3)
})

/** The same with a maximum of concurrent queries. */
function bounded(maxConcurrent: number, sendTimeoutMs: number) {
  const batches: number[][] = []
  const under: PromiseWithResolvers<void>[] = []
  const read = gather(
    async (questions: readonly number[]) => {
      batches.push([...questions])
      const answered = Promise.withResolvers<void>()
      under.push(answered)
      await answered.promise
      return questions
    },
    { maxConcurrent, sendTimeoutMs },
  )
  return { read, batches, under }
}

test('at the maximum of concurrent queries, questions gather for the next one, which is sent when one returns', async () => {
  const { read, batches, under } = bounded(2, 60_000)
  const answers: Promise<number>[] = []
  for (const n of [1, 2, 3, 4]) {
    answers.push(read(n))
    await nextTurn()
  }
  assert.deepEqual(batches, [[1], [2]])
  under[1]?.resolve()
  assert.equal(await answers[1], 2)
  await nextTurn()
  assert.deepEqual(batches, [[1], [2], [3, 4]], 'sent after they asked, and not for each one')
  under[0]?.reject(new Error('away'))
  await assert.rejects(answers[0] ?? assert.fail(), /away/)
  under[2]?.resolve()
  assert.deepEqual(await Promise.all(answers.slice(2)), [3, 4])
})

test('questions that cannot be sent in time fail and are never sent; later ones are', async () => {
  const { read, batches, under } = bounded(1, 20)
  const held = read(1)
  await nextTurn()
  const late = [read(2), read(3)]
  for (const each of late) await assert.rejects(each, NotSentError)
  under[0]?.resolve()
  assert.equal(await held, 1)
  const next = read(4)
  await nextTurn()
  under[1]?.resolve()
  assert.equal(await next, 4)
  assert.deepEqual(batches, [[1], [4]])
})
