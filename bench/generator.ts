/** The load generator, a process of its own: asks as fast as it is answered, or so many times a second. */
import { openConnection } from './connection.ts'
import type { Connection } from './connection.ts'
import { cpuMicroseconds } from './usage.ts'

/** What to ask whom, and for how long. */
export type Order = Readonly<{
  port: number
  /** The target's process, whose processor time is read. */
  pid: number
  /** Whole requests, taken in turn; `{n}` in them is replaced by a running number of eight digits. */
  requests: readonly string[]
  status: number
  connections: number
  seconds: number
  /** Seconds at the beginning whose latencies are not counted. */
  uncounted?: number
  /** The first running number, and the one before which to stop. */
  first: number
  before: number
  /** How many are asked in a second, however long answers take; absent: as many as are answered. */
  perSecond?: number
}>

/** What came of it. */
export type Outcome = Readonly<{
  answered: number
  /** Answers of another status than a good one. */
  wrong: number
  seconds: number
  targetCpuUs: number
  generatorCpuUs: number
  /** Where the running number stands. */
  next: number
  /** From when a request was due until its answer was there, in milliseconds; of requests at a rate. */
  latenciesMs: Readonly<{ p50: number; p99: number; p999: number }>
}>

/** How long it rests between looks at what is due and what is answered, in milliseconds. */
const REST_MS = 0.05
const rest = new Int32Array(new SharedArrayBuffer(4))

const numberOf = (n: number) => String(n).padStart(8, '0')

/** Does what is ordered. */
export async function generate(order: Order): Promise<Outcome> {
  const { requests, status, perSecond, before } = order
  const texts = requests.map((text) => text.split('{n}'))
  let next = order.first
  let wrong = 0
  let answered = 0
  let isOver = false
  const latencies: number[] = []
  const free: number[] = []
  const dueAtMs: number[] = []
  let countedFromMs = 0
  const done = Promise.withResolvers<void>()

  const nextRequest = () => {
    const parts = texts[next % texts.length] ?? []
    const text = parts.length === 1 ? (parts[0] ?? '') : parts.join(numberOf(next))
    next += 1
    if (next >= before) isOver = true
    return text
  }
  const connections: Connection[] = []
  const ask = (index: number) => connections[index]?.send(nextRequest())
  const finishWhenFree = () => {
    if (isOver && free.length === order.connections) done.resolve()
  }

  for (let index = 0; index < order.connections; index++) {
    const onAnswer = (got: number) => {
      if (got !== status) wrong += 1
      if (!isOver) answered += 1
      const dueMs = dueAtMs[index] ?? 0
      if (perSecond !== undefined && dueMs >= countedFromMs) latencies.push(performance.now() - dueMs)
      if (perSecond === undefined && !isOver) return ask(index)
      free.push(index)
      finishWhenFree()
    }
    const onFailure = (error: Error) => {
      // At the end those that are answered wait for the others; a server may close them meanwhile.
      if (!isOver || !free.includes(index)) done.reject(error)
    }
    connections.push(await openConnection(order.port, onAnswer, onFailure))
  }

  const cpuBefore = [cpuMicroseconds(order.pid), process.cpuUsage()] as const
  const startedAtMs = performance.now()
  const endsAtMs = startedAtMs + order.seconds * 1000
  countedFromMs = startedAtMs + (order.uncounted ?? 0) * 1000
  let measured: Pick<Outcome, 'seconds' | 'targetCpuUs' | 'generatorCpuUs'> | undefined
  const measure = () => {
    isOver = true
    const { user, system } = process.cpuUsage(cpuBefore[1])
    measured ??= {
      seconds: (performance.now() - startedAtMs) / 1000,
      targetCpuUs: cpuMicroseconds(order.pid) - cpuBefore[0],
      generatorCpuUs: user + system,
    }
  }

  if (perSecond === undefined) {
    for (let index = 0; index < order.connections; index++) ask(index)
    const timer = setInterval(() => {
      if (performance.now() < endsAtMs && !isOver) return
      clearInterval(timer)
      measure()
      finishWhenFree()
    }, 1)
  } else {
    free.push(...connections.keys())
    let asked = 0
    // A timer would send a bundle every millisecond, and measure its own lateness. Turning round and round takes a
    // processor away from the target, whose threads then wait for it for milliseconds: so it rests for moments.
    const turn = () => {
      const nowMs = performance.now()
      if (nowMs >= endsAtMs || isOver) {
        measure()
        return finishWhenFree()
      }
      // So many are due by now.
      const due = Math.floor(((nowMs - startedAtMs) / 1000) * perSecond)
      while (asked < due && free.length > 0) {
        if (isOver) break
        const index = free.pop() as number
        dueAtMs[index] = startedAtMs + (asked * 1000) / perSecond
        ask(index)
        asked += 1
      }
      Atomics.wait(rest, 0, 0, REST_MS)
      setImmediate(turn)
    }
    turn()
  }
  await done.promise
  for (const connection of connections) connection.close()

  latencies.sort((a, b) => a - b)
  const quantile = (q: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * q))] ?? 0
  if (measured === undefined || (perSecond !== undefined && latencies.length === 0))
    throw new Error('ended before it was measured')
  return {
    answered,
    wrong,
    ...measured,
    next,
    latenciesMs: { p50: quantile(0.5), p99: quantile(0.99), p999: quantile(0.999) },
  }
}

if (import.meta.main) {
  process.on('message', (order: Order) => {
    void generate(order).then(
      (outcome) => process.send?.(outcome),
      (error: Error) => process.send?.({ error: error.message }),
    )
  })
}
