/** Prometheus with the configuration and alert rules of the repository, scraping a service of a test. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callAt } from '../http/call.ts'
import { endsWithTest } from './ends-with-test.ts'
import { freePort, temporaryFolder } from '../files.ts'
import { until } from '../until.ts'

export type Prometheus = Readonly<{
  /** `data` of an API answer, for example for `query?query=up`. */
  ask(path: string): Promise<any>
  stop(): Promise<void>
}>

export const RULES = new URL('../../../deploy/alerts.yml', import.meta.url)

/** @param token the service's `METRICS_TOKEN` */
export async function startPrometheus(service: string, token: string): Promise<Prometheus> {
  const folder = temporaryFolder()
  let configuration = readFileSync(new URL('../../../deploy/prometheus.yml', import.meta.url), 'utf8')
  const substitute = (from: string, to: string) => {
    assert.equal(configuration.split(from).length, 2, `${from} occurs once`)
    configuration = configuration.replace(from, to)
  }
  substitute('127.0.0.1:3000', new URL(service).host)
  substitute('/etc/prometheus/paylink-auth.token', join(folder.path, 'token'))
  writeFileSync(join(folder.path, 'token'), `${token}\n`)
  // Under its own name beside the configuration, as docs/operations.md says.
  copyFileSync(RULES, join(folder.path, 'alerts.yml'))
  writeFileSync(
    join(folder.path, 'prometheus.yml'),
    `global: { scrape_interval: 1s, evaluation_interval: 1s }\n${configuration}`,
  )
  const port = await freePort()
  const options = [
    `--config.file=${folder.path}/prometheus.yml`,
    `--storage.tsdb.path=${folder.path}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  const child = spawn('prometheus', options, { stdio: 'ignore' })
  endsWithTest(child, 'KILL')
  const exited = once(child, 'exit')
  const api = `http://127.0.0.1:${port}`
  await until(async () => {
    assert.equal(child.exitCode, null, 'Prometheus ended')
    return callAt(api, 'GET /-/ready').then(
      ({ status }) => status === 200,
      () => false,
    )
  }, 'Prometheus is ready')
  return {
    async ask(path) {
      const { body } = await callAt(api, `GET /api/v1/${path}`)
      assert.equal(body.status, 'success', JSON.stringify(body))
      return body.data
    },
    async stop() {
      child.kill('SIGKILL')
      await exited
      folder.remove()
    },
  }
}
