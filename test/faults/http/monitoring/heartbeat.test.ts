import assert from 'node:assert/strict'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { countStalls, stallCheck } from '../../../../src/http/monitoring/heartbeat.ts'
import { createLog } from '../../../../src/lib/log.ts'
import { temporaryFolder } from '../../../support/files.ts'
import { METRICS_TOKEN, scrape, valueOf } from '../../../support/process/metrics.ts'
import { limitDescriptors, openDescriptors } from '../../../support/process/resources.ts'
import { serveIn } from '../../../support/process/served.ts'
import { until } from '../../../support/until.ts'

const folder = temporaryFolder()
after(() => folder.remove())

test('a task that blocks the event loop is logged with its processor time', () => {
  const lines: any[] = []
  const log = createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) })
  const beat = stallCheck(
    log,
    countStalls(() => performance.now()),
  )
  const [startMs, { user }] = [performance.now(), process.threadCpuUsage()]
  while (performance.now() < startMs + 1200 || process.threadCpuUsage().user < user + 500_000);
  beat()
  assert.ok(lines[0].stalledMs >= 1100 && lines[0].processorMs >= 500, JSON.stringify(lines))
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

  test('without file descriptors logs it, and serves again when it has some', async (t) => {
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
