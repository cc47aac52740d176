/** The load generator, in its own process: closed-loop, or open-loop at a fixed rate. */
import { openConnection } from './connection.ts'
import type { Connection } from './connection.ts'
import { cpuMicroseconds, QuietTimes } from './usage.ts'

export type LoadOptions = Readonly<{
  port: number
  /** The target's process, for its CPU time. */
  pid: number
  /** Raw requests, sent round-robin; `{n}` is replaced with a sequence number of eight digits. */
  requests: readonly string[]
  status: number
  connections: number
  seconds: number
  /** Initial seconds whose latencies are discarded. */
  uncounted?: number
  /** The first sequence number, and the end (exclusive). */
  first: number
  before: number
  /** Fixed request rate; if absent, each connection sends after each answer. */
  perSecond?: number
}>

/** `comesFirst`: no other program keeps the generator from its processor. */
type LoadOrder = LoadOptions & Readonly<{ comesFirst: boolean }>

export type LoadResult = Readonly<{
  answered: number
  /** Answers with an unexpected status. */
  wrong: number
  seconds: number
  /** Answers while nothing else took a processor (`QuietTimes`), and the share of that time. */
  perSecond: number
  quietShare: number
  targetCpuUs: number
  generatorCpuUs: number
  /** The next sequence number. */
  next: number
  /**
   * From the due time of a request to the end of its answer, of those during which nothing else took a processor; only at
   * a fixed rate.
   */
  latenciesMs: Readonly<{ p50: number; p99: number; p999: number }>
}>

/** Pause between checks for due requests; at low rates a fiftieth of the interval between two. */
const POLL_MS = 0.1
/** With fewer undisturbed ones, all count. */
const MIN_LATENCIES = 100
const sleeper = new Int32Array(new SharedArrayBuffer(4))

const numberOf = (n: number) => String(n).padStart(8, '0')

export async function generate(order: LoadOrder): Promise<LoadResult> {
  const { requests, status, perSecond, before } = order
  const texts = requests.map((text) => text.split('{n}'))
  let next = order.first
  let wrong = 0
  let answered = 0
  let isOver = false
  const times: [due: number, answered: number][] = []
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
      if (!isOver) {
        answered += 1
        quiet.countAnswer()
      }
      const nowMs = performance.now()
      if (perSecond !== undefined && nowMs >= countedFromMs) times.push([dueAtMs[index] ?? 0, nowMs])
      if (perSecond === undefined && !isOver) return ask(index)
      free.push(index)
      finishWhenFree()
    }
    const onFailure = (error: Error) => {
      // At the end, answered connections idle until the others are answered. The target may close them.
      if (!isOver || !free.includes(index)) done.reject(error)
    }
    connections.push(await openConnection(order.port, onAnswer, onFailure))
  }

  const cpuBefore = [cpuMicroseconds(order.pid), process.cpuUsage()] as const
  const startedAtMs = performance.now()
  const quiet = new QuietTimes(order.pid, startedAtMs)
  const endsAtMs = startedAtMs + order.seconds * 1000
  countedFromMs = startedAtMs + (order.uncounted ?? 0) * 1000
  let measured: Pick<LoadResult, 'seconds' | 'targetCpuUs' | 'generatorCpuUs'> | undefined
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
      quiet.turn(performance.now(), false)
      if (performance.now() < endsAtMs && !isOver) return
      clearInterval(timer)
      measure()
      finishWhenFree()
    }, 1)
  } else {
    free.push(...connections.keys())
    let asked = 0
    const pollMs = Math.max(POLL_MS, 20 / perSecond)
    // A timer would send a burst every millisecond and measure its own delay. A busy loop would take a CPU from the
    // target, whose threads would wait for milliseconds. So the loop sleeps briefly.
    const turn = () => {
      const nowMs = performance.now()
      quiet.turn(nowMs, order.comesFirst)
      if (nowMs >= endsAtMs || isOver) {
        measure()
        return finishWhenFree()
      }
      // The first is due at once.
      const due = 1 + Math.floor(((nowMs - startedAtMs) / 1000) * perSecond)
      while (asked < due && free.length > 0) {
        if (isOver) break
        const index = free.pop() as number
        dueAtMs[index] = startedAtMs + (asked * 1000) / perSecond
        ask(index)
        asked += 1
      }
      Atomics.wait(sleeper, 0, 0, pollMs)
      setImmediate(turn)
    }
    turn()
  }
  await done.promise
  for (const connection of connections) connection.close()

  const undisturbed = times.filter(([due, end]) => quiet.isQuiet(due, end))
  const counted = undisturbed.length >= MIN_LATENCIES ? undisturbed : times
  const latencies = counted.map(([due, end]) => end - due).toSorted((a, b) => a - b)
  const quantile = (q: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * q))] ?? 0
  if (measured === undefined || (perSecond !== undefined && latencies.length === 0))
    throw new Error('the load ended before it was measured')
  return {
    answered,
    wrong,
    ...measured,
    ...quiet.summary(),
    next,
    latenciesMs: { p50: quantile(0.5), p99: quantile(0.99), p999: quantile(0.999) },
  }
}

if (import.meta.main) {
  process.on('message', (order: LoadOrder) => {
    void generate(order).then(
      (outcome) => process.send?.(outcome),
      (error: Error) => process.send?.({ error: error.message }),
    )
  })
}
