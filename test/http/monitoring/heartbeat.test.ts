import assert from 'node:assert/strict'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { countStalls, descriptorCheck, stallCheck } from '../../../src/http/monitoring/heartbeat.ts'
import { createLog } from '../../../src/lib/log.ts'
import { temporaryFolder } from '../../support/files.ts'
import { METRICS_TOKEN, scrape, valueOf } from '../../support/process/metrics.ts'
import { limitDescriptors, openDescriptors } from '../../support/process/resources.ts'
import { serveIn } from '../../support/process/served.ts'
import { until } from '../../support/until.ts'

const folder = temporaryFolder()
after(() => folder.remove())

function logged() {
  const lines: any[] = []
  return { lines, log: createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) }) }
}

test('the longest stall is remembered for five minutes, whoever reads it and however often', () => {
  let nowMs = 0
  const stalls = countStalls(() => nowMs)
  const at = (ms: number) => {
    nowMs = ms
    return stalls.longestSeconds()
  }
  assert.equal(at(0), 0)
  stalls.note(4000)
  nowMs = 60_000
  stalls.note(500)
  nowMs = 120_000
  stalls.note(1500)
  assert.deepEqual([at(121_000), at(300_000), at(300_001), at(420_000), at(420_001)], [4, 4, 1.5, 1.5, 0])
  assert.equal(stalls.totalSeconds(), 6)
})

test('a stall is counted from 0.1 s, and logged from one second on, with its processor time', () => {
  const { lines, log } = logged()
  const now = { ms: 0, processorMs: 0 }
  const stalls = countStalls(() => now.ms)
  const beat = stallCheck(log, stalls, () => ({ ...now }))
  const beatAfter = (ms: number, processorMs: number) => {
    now.ms += ms
    now.processorMs += processorMs
    beat()
    return stalls.totalSeconds()
  }
  assert.deepEqual([beatAfter(100, 5), beatAfter(199, 5), lines], [0, 0, []])
  assert.deepEqual([beatAfter(200, 5), beatAfter(1099, 5), lines], [0.1, 1.099, []])
  assert.deepEqual([beatAfter(2600, 2400), beatAfter(100, 5)], [3.599, 3.599])
  const message = 'the process stood still: no call was answered'
  assert.partialDeepStrictEqual(lines, [{ level: 40, stalledMs: 2500, processorMs: 2400, msg: message }])
  assert.equal(lines.length, 1)
})

test('a heavy task that blocks the event loop is logged with its processor time', () => {
  const { lines, log } = logged()
  const beat = stallCheck(
    log,
    countStalls(() => performance.now()),
  )
  const [startMs, { user }] = [performance.now(), process.threadCpuUsage()]
  while (performance.now() < startMs + 1200 || process.threadCpuUsage().user < user + 500_000);
  beat()
  assert.ok(lines[0].stalledMs >= 1100 && lines[0].processorMs >= 500, JSON.stringify(lines))
})

test('the lack of file descriptors is logged once a minute, and nothing else is', () => {
  const { lines, log } = logged()
  let nowMs = 0
  let code: string | undefined
  const look = descriptorCheck(
    log,
    () => nowMs,
    () => {
      if (code !== undefined) throw Object.assign(new Error(code), { code })
    },
  )
  const countAfterMinute = (next?: string) => {
    code = next
    for (const endMs = nowMs + 60_000; nowMs < endMs; nowMs += 1000) look()
    return lines.length
  }
  assert.deepEqual([undefined, 'EACCES', 'EMFILE', 'ENFILE', undefined].map(countAfterMinute), [0, 0, 1, 2, 2])
  assert.deepEqual(
    lines.map((line) => line.code),
    ['EMFILE', 'ENFILE'],
  )
})

describe('a process', () => {
  test('that was stopped logs it when it continues, with no processor time', async () => {
    const { process, origin, stop } = await serveIn(folder.path, { METRICS_TOKEN })
    process.kill('SIGSTOP')
    await wait(2000)
    process.kill('SIGCONT')
    const stopped = () =>
      (process.output().match(/^\{.*\}$/gm) ?? [])
        .map((line) => JSON.parse(line))
        .find(({ stalledMs }) => stalledMs > 1500)
    await until(stopped, 'it is logged')
    assert.ok(stopped().processorMs < stopped().stalledMs / 2, JSON.stringify(stopped()))
    for (let scraper = 0; scraper < 3; scraper += 1) {
      const samples = await scrape(origin)
      assert.ok((valueOf(samples, 'event_loop_longest_stall_seconds') ?? 0) > 1.5)
      assert.ok((valueOf(samples, 'event_loop_stalled_seconds_total') ?? 0) > 1.5)
    }
    await stop()
  })

  test('without file descriptors says so, and serves again when it has some', async (t) => {
    const sockets: Socket[] = []
    const { process, origin, call, stop } = await serveIn(folder.path, {})
    t.after(() => sockets.forEach((socket) => socket.destroy()))
    assert.equal((await call('GET /auth/config')).status, 200)
    limitDescriptors(process, openDescriptors(process) + 5)
    const { port } = new URL(origin)
    for (let n = 0; n < 20; n += 1) sockets.push(connect(Number(port), '127.0.0.1').on('error', () => {}))
    const lines = () => process.output().match(/^.*no file descriptor is left.*$/gm) ?? []
    await until(() => lines().length > 0, 'it is logged')
    const { level, code, cause } = JSON.parse(lines()[0] ?? '')
    assert.deepEqual([level, code], [50, 'EMFILE'])
    assert.match(cause, /Raise LimitNOFILE/)
    for (const socket of sockets) socket.destroy()
    await until(async () => (await call('GET /auth/config').catch(() => undefined))?.status === 200, 'it serves again')
    await stop()
  })
})
