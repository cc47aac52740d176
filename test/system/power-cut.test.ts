import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { pick, seeded } from '../soak/seeded.ts'
import { diskEnv } from '../support/disk/disk-shim.ts'
import { readTrace } from '../support/disk/disk-trace.ts'
import type { DiskEvent } from '../support/disk/disk-trace.ts'
import { CutFile } from '../support/disk/power-cut.ts'
import { CrashWriter } from '../support/faults/crash-writer.ts'
import { asHandedOver, asSent, losses } from '../support/faults/cut-history.ts'
import type { Arrival, TimedLog } from '../support/faults/cut-history.ts'
import { temporaryFolder } from '../support/files.ts'
import { startSmtp } from '../support/mail/smtp.ts'
import { assertWhole, databasePath, serveIn } from '../support/process/served.ts'
import { until } from '../support/until.ts'

const CUTS = 200
const WRITERS = 50
/** Calls that are logged at least, a third of them after the log has started anew. */
const CALLS = 1200
/** Cuts at least after the log has started anew. */
const CUTS_AFTERWARDS = 20
/** Slow enough that some cuts come between an answer and a sync that ends after it. */
const SYNC_MS = 20
/** Pause between looks at whether the service has finished its mails. */
const IDLE_MS = 300
/** How much later the syncs of a lying disk end. */
const LIE_MS = 100
/** Cuts after which the service itself is started. */
const STARTS = 3

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

type Recording = Readonly<{ events: readonly DiskEvent[]; logs: readonly TimedLog[]; arrivals: readonly Arrival[] }>

/** What 50 clients of a service were answered, and what it wrote and synced meanwhile. */
async function record(folder: string, lies: boolean): Promise<Recording> {
  mkdirSync(folder)
  const trace = join(folder, 'trace')
  const arrivals: Arrival[] = []
  const links = new Map<string, string[]>()
  const smtp = await startSmtp({
    beforeAnswer: async ({ to, message }) => {
      const [, link] = /token=([\w-]+)/.exec(message.text ?? '') ?? []
      const [address = ''] = to
      arrivals.push({ address, link, arrivedNs: Number(process.hrtime.bigint()) })
      if (link !== undefined) links.set(address, [...(links.get(address) ?? []), link])
    },
  })
  const service = await serveIn(folder, {
    SMTP_URL: smtp.url,
    LOG_LEVEL: 'debug',
    ...diskEnv({ syncMs: lies ? LIE_MS : SYNC_MS, trace, lies }),
  })
  try {
    const mailbox = { linksTo: (address: string) => links.get(address) ?? [] }
    const port = Number(new URL(service.origin).port)
    const writers = Array.from({ length: WRITERS }, (_, n) => new CrashWriter(port, mailbox, seeded(seed + n + 1)))
    let isEnough = false
    const calls = () => writers.reduce((sum, { log }) => sum + log.length, 0)
    const writing = Promise.all(writers.map((writer) => writer.writeUntilCut(() => isEnough)))
    await until(() => service.process.output().includes('started anew'), 'a log that has started anew', 240_000)
    const enough = Math.max(CALLS, calls() * 1.5)
    await until(() => calls() > enough, 'calls', 240_000)
    isEnough = true
    await writing
    await until(() => wait(IDLE_MS).then(() => isComplete(trace, folder)), 'the trace to hold every write')
    const { events, sent } = readTrace(trace)
    const logs = writers.map(({ log }) => log)
    return { events, logs: asSent(logs, sent), arrivals: asHandedOver(arrivals, sent) }
  } finally {
    service.process.kill('SIGKILL')
    await service.process.exited
    await smtp.close()
    rmSync(trace, { force: true })
  }
}

// While the service is idle, the trace must explain every byte of its files.
function isComplete(trace: string, folder: string): boolean {
  const { events } = readTrace(trace)
  return (['database', 'log'] as const).every((file) => {
    const written = new CutFile(events.filter((event) => event.file === file)).whole()
    return written.equals(readFileSync(databasePath(folder) + (file === 'log' ? '-wal' : '')))
  })
}

const isLogStart = (event: DiskEvent) => event.file === 'log' && event.kind === 'write' && event.offset === 0

/** Half at any time, half right after a write or sync, because a checkpoint is short. In ascending order. */
function cutTimes({ events, logs }: Recording, count: number, random: () => number): number[] {
  const answered = logs.flat().map(({ endedNs }) => endedNs)
  const [first, last] = [answered.reduce((a, b) => Math.min(a, b)), answered.reduce((a, b) => Math.max(a, b))]
  const during = events.filter(({ endedNs }) => endedNs > first && endedNs < last)
  const times = Array.from({ length: count }, (_, n) =>
    n % 2 === 0 ? first + random() * (last - first) : (pick(random, during)?.endedNs ?? last),
  )
  return times.toSorted((a, b) => a - b)
}

/** The losses at each cut. `afterwards` finds the file as the cut has left it. */
async function cutPower(
  recording: Recording,
  folder: string,
  cuts: number,
  afterwards?: (cut: number) => Promise<void>,
): Promise<string[][]> {
  const random = seeded(seed)
  const files = (['database', 'log'] as const).map(
    (file) => new CutFile(recording.events.filter((event) => event.file === file)),
  )
  const path = databasePath(folder)
  const found: string[][] = []
  for (const [index, cutNs] of cutTimes(recording, cuts, random).entries()) {
    const survival = random()
    const [database, log] = files.map((file) => file.cutAt(cutNs, survival, random)) as [Buffer, Buffer]
    const plug = () => {
      rmSync(join(folder, 'data'), { recursive: true, force: true })
      mkdirSync(join(folder, 'data'), { recursive: true })
      writeFileSync(path, database)
      writeFileSync(`${path}-wal`, log)
    }
    plug()
    found.push(losses(path, recording.logs, recording.arrivals, cutNs).map((loss) => `cut ${index}: ${loss}`))
    if (afterwards === undefined) continue
    plug()
    await afterwards(index)
  }
  return found
}

function inFolder(work: (folder: string, t: TestContext) => Promise<void>): (t: TestContext) => Promise<void> {
  return async (t) => {
    const folder = temporaryFolder()
    t.after(folder.remove)
    await work(folder.path, t)
  }
}

test(
  `after ${CUTS} power cuts under ${WRITERS} writers the database is whole and everything acknowledged is there (SEED=${seed})`,
  inFolder(async (folder, t) => {
    const recording = await record(join(folder, 'service'), false)
    const done = recording.logs.flat().filter(({ outcome }) => outcome === 'done').length
    const checkpointed = recording.events.filter(({ file, kind }) => file === 'database' && kind === 'write').length
    const times = cutTimes(recording, CUTS, seeded(seed))
    const newLog = recording.events.find((event) => isLogStart(event) && event.endedNs > (times[0] ?? Infinity))
    const afterwards = times.filter((cutNs) => cutNs > (newLog?.endedNs ?? Infinity)).length
    assert.ok(afterwards > CUTS_AFTERWARDS, `${afterwards} cuts after the log has started anew`)
    t.diagnostic(
      `${done} calls acknowledged, ${recording.arrivals.length} mails, ${checkpointed} pages checkpointed, ${afterwards} cuts after the log has started anew`,
    )
    const cutFolder = join(folder, 'cut')
    const found = await cutPower(recording, cutFolder, CUTS, async (cut) => {
      if (cut % Math.floor(CUTS / STARTS) !== 0) return
      await (await serveIn(cutFolder)).stop()
      await assertWhole(cutFolder)
    })
    assert.deepEqual(found.flat().slice(0, 10), [])
  }),
)

test(
  'a disk that acknowledges a sync too early is found to lose calls',
  inFolder(async (folder, t) => {
    const recording = await record(join(folder, 'service'), true)
    const found = await cutPower(recording, join(folder, 'cut'), 50)
    const lossy = found.filter((lost) => lost.length > 0)
    t.diagnostic(`${lossy.length} of ${found.length} cuts lose calls, for example: ${lossy[0]?.[0]}`)
    assert.ok(lossy.length > 0)
  }),
)
