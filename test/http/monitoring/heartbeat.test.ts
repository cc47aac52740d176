import assert from 'node:assert/strict'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { countStalls } from '../../../src/http/monitoring/heartbeat.ts'
import { temporaryFolder } from '../../support/files.ts'
import { METRICS_TOKEN, scrape, valueOf } from '../../support/process/metrics.ts'
import { limitDescriptors, openDescriptors } from '../../support/process/resources.ts'
import { serveIn } from '../../support/process/served.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const folder = temporaryFolder()
after(() => folder.remove())

const stallsIn = (lines: readonly string[]) =>
  lines.filter((line) => line.includes('the process stood still')).map((line) => JSON.parse(line))

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

test('a heavy task that blocks the event loop is in the log and the metrics, with its processor time', async (t) => {
  const service = await startService({ METRICS_TOKEN, LOG_LEVEL: 'warn' }, (app) => {
    app.get('/block', { config: { access: 'public' } }, async () => {
      const [startMs, { user }] = [performance.now(), process.threadCpuUsage()]
      while (performance.now() < startMs + 1500 || process.threadCpuUsage().user < user + 500_000);
      return ''
    })
  })
  t.after(() => service.close())
  await wait(300)
  await fetch(`${service.origin}/block`)
  const isTask = ({ stalledMs, processorMs }: any) => stalledMs > 1300 && processorMs > 400
  await until(() => stallsIn(service.logLines).some(isTask), 'the stall is logged')
  assert.equal(stallsIn(service.logLines).find(isTask).level, 40)
  for (let scraper = 0; scraper < 3; scraper += 1) {
    const samples = await scrape(service.origin)
    assert.ok((valueOf(samples, 'event_loop_longest_stall_seconds') ?? 0) > 1.3)
    assert.ok((valueOf(samples, 'event_loop_stalled_seconds_total') ?? 0) > 1.3)
  }
})

describe('a process', () => {
  test('that was stopped logs it once when it continues, with no processor time', async () => {
    const { process, origin, stop } = await serveIn(folder.path, { METRICS_TOKEN })
    await wait(300)
    process.kill('SIGSTOP')
    await wait(2000)
    process.kill('SIGCONT')
    const lines = () => stallsIn(process.output().match(/^\{.*\}$/gm) ?? [])
    await until(() => lines().some(({ stalledMs }) => stalledMs > 1500), 'it is logged')
    const stopped = lines().filter(({ stalledMs }) => stalledMs > 1500)
    assert.equal(stopped.length, 1)
    assert.ok(stopped[0].processorMs < stopped[0].stalledMs / 2, JSON.stringify(stopped))
    const samples = await scrape(origin)
    assert.ok((valueOf(samples, 'event_loop_longest_stall_seconds') ?? 0) > 1.5)
    await stop()
  })

  test('without file descriptors says so in one line, and serves again when it has some', async (t) => {
    const sockets: Socket[] = []
    const { process, origin, call, stop } = await serveIn(folder.path, {})
    t.after(() => sockets.forEach((socket) => socket.destroy()))
    assert.equal((await call('GET /auth/config')).status, 200)
    limitDescriptors(process, openDescriptors(process) + 5)
    const { port } = new URL(origin)
    for (let n = 0; n < 20; n += 1) sockets.push(connect(Number(port), '127.0.0.1').on('error', () => {}))
    const lines = () => process.output().match(/^.*no file descriptor is left.*$/gm) ?? []
    await until(() => lines().length > 0, 'it is logged')
    await wait(2500)
    assert.equal(lines().length, 1)
    const { level, code, cause } = JSON.parse(lines()[0] ?? '')
    assert.deepEqual([level, code], [50, 'EMFILE'])
    assert.match(cause, /Raise LimitNOFILE/)
    for (const socket of sockets) socket.destroy()
    await until(async () => (await call('GET /auth/config').catch(() => undefined))?.status === 200, 'it serves again')
    await stop()
  })
})
