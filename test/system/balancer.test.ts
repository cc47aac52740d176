/** Three processes on one PostgreSQL database behind nginx, with the configuration of the repository. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { assertError } from '../support/http/answers.ts'
import { callAt } from '../support/http/call.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { startFleet } from '../support/gateways/fleet.ts'
import type { Fleet } from '../support/gateways/fleet.ts'
import { METRICS_TOKEN } from '../support/process/metrics.ts'
import { startNginx } from '../support/gateways/nginx.ts'
import { startPostgres } from '../support/postgres/postgres-server.ts'
import type { PostgresServer } from '../support/postgres/postgres-server.ts'
import { runCli } from '../support/process/process.ts'
import { sendRaw } from '../support/wire/raw.ts'
import { until } from '../support/until.ts'

describe('three processes behind nginx', () => {
  let postgres: PostgresServer
  let fleet: Fleet
  const callOn = (index: number, route: string, call = {}) => {
    const { baseUrl } = fleet.processes[index] ?? assert.fail()
    return callAt(baseUrl, route, call)
  }
  before(async () => {
    postgres = await startPostgres()
    const env = {
      TRUST_PROXY: '127.0.0.1',
      LOG_LEVEL: 'info',
      GOOGLE_CLIENT_ID: 'an-id',
      GOOGLE_CLIENT_SECRET: 'a-secret',
      METRICS_TOKEN,
    }
    fleet = await startFleet(postgres.url, { isBalanced: true, env })
  })
  after(async () => {
    await fleet?.stop()
    await postgres?.remove()
  })

  test('processes started at once on an empty database migrate it once', async () => {
    const rows = await postgres.query('select name, count(*)::int as times from kysely_migration group by name')
    assert.ok(rows.length >= 3)
    assert.deepEqual(new Set(rows.map(({ times }) => times)), new Set([1]))
  })

  test('of concurrent migrate commands one migrates, and the others wait and exit cleanly', async () => {
    await postgres.query('create database empty')
    const folder = temporaryFolder()
    const env = { DATABASE_URL: postgres.url.replace('/paylink', '/empty') }
    const runs = await Promise.all([1, 2, 3].map(() => runCli(['migrate'], { cwd: folder.path, env }).exited))
    folder.remove()
    assert.deepEqual(
      runs.map(({ code }) => code),
      [0, 0, 0],
      JSON.stringify(runs),
    )
    assert.equal(runs.filter(({ output }) => output.includes('Applied 0001')).length, 1, JSON.stringify(runs))
    assert.equal(runs.filter(({ output }) => output.includes('up to date')).length, 2)
  })

  test('a migration waits for another one longer than any call may wait', async () => {
    await postgres.query('create database held')
    const url = postgres.url.replace('/paylink', '/held')
    const holder = new Client({ connectionString: url })
    await holder.connect()
    await holder.query(`
      create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0);
      insert into kysely_migration_lock values ('migration_lock', 0)`)
    await holder.query('begin; select 1 from kysely_migration_lock for update')
    const folder = temporaryFolder()
    const { exited } = runCli(['migrate'], { cwd: folder.path, env: { DATABASE_URL: url } })
    await until(async () => {
      const waiting = `select 1 from pg_stat_activity
        where datname = 'held' and wait_event_type = 'Lock' and now() - query_start > interval '1.5 seconds'`
      return (await postgres.query(waiting)).length === 1
    }, 'the migration waits')
    await holder.query('commit')
    await holder.end()
    const { code, output } = await exited
    folder.remove()
    assert.equal(code, 0, output)
    assert.match(output, /Applied 0001/)
  })

  test('calls are spread over all processes, without sticky sessions', async () => {
    const written = fleet.processes.map(({ process }) => process.output().length)
    await Promise.all(Array.from({ length: 30 }, () => fleet.call('GET /auth/config')))
    await until(() => fleet.processes.every(({ process }, index) => process.output().length > (written[index] ?? 0)))
  })

  test('a link requested on one process signs in on another, once', async () => {
    const asked = await callOn(0, 'POST /auth/request', { body: { email: 'ana@example.com' } })
    assert.equal(asked.status, 200)
    const mail = await fleet.smtp.mailTo('ana@example.com')
    const link = /token=([\w-]+)/.exec(mail.message.text ?? '')?.[1] ?? ''
    const verified = await callOn(1, `GET /auth/verify?token=${link}`)
    assert.equal(verified.status, 200, verified.text)
    assertError(await callOn(2, `GET /auth/verify?token=${link}`), 'LINK_INVALID')
    const me = await callOn(2, 'GET /users/me', { token: verified.body.token })
    assert.equal(me.body.user.email, 'ana@example.com')
    assert.equal(fleet.smtp.mails.filter(({ to }) => to.includes('ana@example.com')).length, 1, 'sent by one process')
  })

  test('a key signed up for on one process is exchanged on another, and revoked for all on the third', async () => {
    const signedUp = await callOn(0, 'POST /auth/api/signup', { body: { email: 'bob@example.com' } })
    const { token, apiKey, keySecret } = signedUp.body
    const body = { keyId: apiKey.keyId, keySecret }
    const exchanged = await callOn(1, 'POST /auth/api/token', { body })
    assert.equal(exchanged.status, 200, exchanged.text)
    const revoked = await callOn(2, `POST /auth/api-keys/${apiKey.id}/revoke`, { token })
    assert.equal(revoked.status, 200, revoked.text)
    for (const index of [0, 1, 2]) {
      assertError(await callOn(index, 'POST /auth/api/token', { body }), 'INVALID_CREDENTIALS')
      assertError(await callOn(index, 'GET /users/me', { token: exchanged.body.token }), 'UNAUTHORIZED')
    }
  })

  test('the client address is the one that nginx saw, whatever the caller sends in X-Forwarded-For', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'from-elsewhere' }
    // Differs from nginx's own address, which is trusted.
    const sent = request(`${fleet.baseUrl}/auth/config`, { localAddress: '127.0.0.2', headers }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    assert.equal(response.statusCode, 200)
    const line = () =>
      fleet
        .output()
        .split('\n')
        .find((text) => text.includes('"from-elsewhere"'))
    await until(line)
    assert.equal(JSON.parse(line() ?? '').client, '127.0.0.2')
    assert.ok(!fleet.output().includes('X-Forwarded-For ignored'))
  })

  test('no nginx log contains the query of a link or of Google’s callback, even if no process is reachable', async () => {
    const held = 'held-back-0123456789'
    const routes = [`/auth/verify?token=${held}`, `/auth/google/callback?code=${held}&state=${held}`]
    const port = await freePort()
    // Nothing listens on these ports.
    const unreachable = await startNginx(port, [await freePort(), await freePort(), await freePort()])
    try {
      for (const route of routes) {
        assert.ok((await fleet.call(`GET ${route}`)).status >= 400)
        const away = await callAt(unreachable.baseUrl, `GET ${route}`)
        assertError(away, 'UNAVAILABLE', away.body.error.message)
        assert.equal(away.headers.get('retry-after'), '1')
      }
      const logged = (logs: () => string) =>
        logs()
          .split('\n')
          .filter((line) => /\/auth\/(verify|google\/callback) /.test(line)).length >= 2
      await until(() => logged(unreachable.logs) && logged(fleet.nginx?.logs ?? assert.fail), 'the calls are logged')
      assert.ok(!unreachable.logs().includes(held), unreachable.logs())
      assert.ok(!fleet.nginx?.logs().includes(held))
    } finally {
      await unreachable.stop()
    }
  })

  test('metrics are served by each process directly, and not through the balancer', async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    for (const { origin } of fleet.processes)
      assert.equal((await callAt(origin, 'GET /metrics', { headers })).status, 200)
    for (const path of ['/metrics', '//metrics', '/%6detrics', '/x/../metrics', '/metrics?x']) {
      assertError(
        await sendRaw(fleet.nginx?.origin ?? '', [`GET ${path} HTTP/1.1`, `Authorization: Bearer ${METRICS_TOKEN}`]),
        'NOT_FOUND',
      )
    }
  })

  test("a body over the limit gets the service's own 413", async () => {
    const answer = await fleet.call('POST /auth/api/signup', { body: { email: 'x'.repeat(70_000) } })
    assertError(answer, 'PAYLOAD_TOO_LARGE')
  })

  test('killing a process loses no answer of a reading caller', async () => {
    const { token } = (await fleet.call('POST /auth/api/signup', { body: { email: 'cia@example.com' } })).body
    const statuses: number[] = []
    const over = new AbortController()
    const callers = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) statuses.push((await fleet.call('GET /users/me', { token })).status)
    })
    await until(() => statuses.length > 50)
    fleet.processes[1]?.process.kill('SIGKILL')
    await fleet.processes[1]?.process.exited
    const seen = statuses.length
    await until(() => statuses.length > seen + 100)
    over.abort()
    await Promise.all(callers)
    assert.deepEqual(new Set(statuses), new Set([200]))
  })
})
