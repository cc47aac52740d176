import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTurn } from '../../src/lib/clock.ts'
import { ContentionTimeoutError, FairQueue } from '../../src/lib/fair-queue.ts'

const PATIENT_MS = 60_000

type Work = () => Promise<void>

/** Runs `groupSize` works at a time, one after the other. */
function createTurns(timeoutMs: number, groupSize = 1) {
  const queue = new FairQueue<Work>(timeoutMs, async (take) => {
    for (let count = 0; count < groupSize; count += 1) await take()?.()
  })
  return <T>(subject: string, caller: string, work: () => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    queue.add(subject, caller, () => work().then(resolve, reject), reject)
    return promise
  }
}

/** Work that ends on command, and a record of what has started. */
function works() {
  const begun: string[] = []
  const ends: Record<string, () => void> = {}
  const workOf = (name: string) => async () => {
    begun.push(name)
    await new Promise<void>((resolve) => (ends[name] = resolve))
    return name
  }
  return { begun, workOf, end: (name: string) => ends[name]?.() }
}

test('work on one subject runs in the order of its calls, one at a time', async () => {
  const turns = createTurns(PATIENT_MS)
  const { begun, workOf, end } = works()
  const results = ['first', 'second', 'third'].map((name) => turns('ana', 'a key', workOf(name)))
  for (const [index, name] of ['first', 'second', 'third'].entries()) {
    await nextTurn()
    assert.equal(begun.length, index + 1)
    end(name)
  }
  assert.deepEqual(await Promise.all(results), ['first', 'second', 'third'])
  assert.deepEqual(begun, ['first', 'second', 'third'])
})

test('work on another subject does not wait', async () => {
  const turns = createTurns(PATIENT_MS)
  const { workOf, end } = works()
  const held = turns('ana', 'a key', workOf('held'))
  assert.equal(await turns('bob', 'a key', async () => 'done'), 'done')
  end('held')
  await held
})

test('failing work rejects for its caller only, and the next work runs', async () => {
  const turns = createTurns(PATIENT_MS)
  const failing = turns('ana', 'a key', () => Promise.reject(new Error('no')))
  const next = turns('ana', 'a key', async () => 'done')
  await assert.rejects(failing, /^Error: no$/)
  assert.equal(await next, 'done')
})

test('a caller that waits too long gets an error, its work never runs, and no later work overtakes the current one', async () => {
  const turns = createTurns(20)
  const { begun, workOf, end } = works()
  const held = turns('ana', 'a key', workOf('held'))
  await assert.rejects(turns('ana', 'a key', workOf('late')), ContentionTimeoutError)
  await assert.rejects(turns('ana', 'a key', workOf('later')), ContentionTimeoutError)
  assert.deepEqual(begun, ['held'])
  end('held')
  await held
  const next = turns('ana', 'a key', workOf('next'))
  await nextTurn()
  end('next')
  assert.equal(await next, 'next')
  assert.deepEqual(begun, ['held', 'next'])
})

test('callers of one subject take turns, however many calls one of them makes', async () => {
  const turns = createTurns(PATIENT_MS)
  const { begun, workOf, end } = works()
  const asked = [
    ...['t1', 't2', 't3', 't4'].map((name) => turns('ana', 'thief', workOf(name))),
    ...['o1', 'o2'].map((name) => turns('ana', 'owner', workOf(name))),
  ]
  for (let done = 0; done < asked.length; done += 1) {
    await nextTurn()
    end(begun.at(-1) ?? '')
  }
  await Promise.all(asked)
  assert.deepEqual(begun, ['t1', 'o1', 't2', 'o2', 't3', 't4'])
})

test('callers take turns within a group too, and what is not acceptable waits for the next', async () => {
  const taken: string[][] = []

  const held = Promise.withResolvers<void>()
  const queue = new FairQueue<string>(PATIENT_MS, async (take) => {
    const group = [take() ?? '']
    taken.push(group)
    if (taken.length === 1) return held.promise
    for (let next = take((work) => work !== 't3'); next !== undefined; next = take((work) => work !== 't3'))
      group.push(next)
  })

  for (const name of ['t1', 't2', 't3', 't4']) queue.add('ana', 'thief', name, assert.fail)
  for (const name of ['o1', 'o2']) queue.add('ana', 'owner', name, assert.fail)
  held.resolve()
  await nextTurn()
  assert.deepEqual(taken, [['t1'], ['o1', 't2', 'o2'], ['t3', 't4']])
})

test('a caller that gave up loses its turn, and delays no other', async () => {
  const turns = createTurns(20)
  const { begun, workOf, end } = works()
  const held = turns('ana', 'a', workOf('held'))
  await assert.rejects(turns('ana', 'b', workOf('late')), ContentionTimeoutError)
  const next = turns('ana', 'c', async () => 'done')
  end('held')
  await held
  assert.equal(await next, 'done')
  assert.deepEqual(begun, ['held'])
})
