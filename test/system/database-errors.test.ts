import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { assertError } from '../support/http/answers.ts'
import { startDatabaseProxy } from '../support/postgres/database-proxy.ts'
import type { DatabaseProxy } from '../support/postgres/database-proxy.ts'
import { startFleet } from '../support/gateways/fleet.ts'
import type { Fleet } from '../support/gateways/fleet.ts'
import { assertUnharmed, surviveUnderTraffic } from '../support/postgres/outage.ts'
import { startPostgres } from '../support/postgres/postgres-server.ts'
import type { PostgresServer } from '../support/postgres/postgres-server.ts'
import { startTraffic } from '../support/process/traffic.ts'
import { until } from '../support/until.ts'

/** Attempts per transaction, at most. */
const MAX_ATTEMPTS = 5

describe('a transaction', () => {
  let postgres: PostgresServer
  let proxy: DatabaseProxy
  let fleet: Fleet
  before(async () => {
    postgres = await startPostgres({ deadlock_timeout: '400ms' })
    proxy = await startDatabaseProxy(postgres.port)
    fleet = await startFleet(proxy.url, { size: 2 })
  })
  after(async () => {
    await fleet?.stop()
    await proxy?.close()
    await postgres?.remove()
  })

  const signUp = async (email: string) => (await fleet.call('POST /auth/api/signup', { body: { email } })).body
  const revoke = (id: string, token: string) => fleet.call(`POST /auth/api-keys/${id}/revoke`, { token })
  const eventsOf = async (type: string, keyId: string) =>
    (await postgres.query('select 1 from security_events where type = $1 and api_key_id = $2', [type, keyId])).length
  const stateOf = async (token: string) => (await fleet.call('GET /users/me', { token })).status
  const versionOf = async (email: string) => {
    const [user] = await postgres.query('select token_version from users where email = $1', [email])
    return Number(user.token_version)
  }
  /** A database client that holds a row lock. */
  async function holding(statement: string) {
    const client = new Client({ connectionString: postgres.url })
    await client.connect()
    await client.query(`begin; set local deadlock_timeout = '20s'; ${statement}`)
    return client
  }
  const untilTransactionWaits = () =>
    until(async () => {
      const waiting = `select pid from pg_stat_activity where application_name = 'paylink-auth' and wait_event_type = 'Lock'`
      return (await postgres.query(waiting)).length > 0
    }, 'a transaction waits for a row')

  test('that the server terminates between two statements gets a 503, and the process continues [F9]', async () => {
    const traffic = await startTraffic(
      fleet.processes.map(({ baseUrl }) => baseUrl),
      'ended',
    )
    await postgres.query(`
      create function end_transactions(most int) returns int language plpgsql as $$
        declare ended int := 0;
        begin
          for tries in 1 .. 60000 loop
            perform pg_stat_clear_snapshot();
            ended := ended + (
              select count(*) filter (where pg_terminate_backend(pid)) from pg_stat_activity
              where application_name = 'paylink-auth' and state = 'idle in transaction');
            exit when ended >= most;
          end loop;
          return ended;
        end
      $$`)
    let killed = 0
    await until(async () => {
      // Repeated until one of them belonged to a call, and not to a background write.
      const [{ ended }] = await postgres.query('select end_transactions(4) as ended')
      killed += ended
      return killed >= 12 && traffic.count('away') > 0
    }, 'a caller gets 503 for its terminated transaction')
    const endedAt = performance.now()
    await until(() => traffic.count('ok', endedAt) > 60)
    await assertUnharmed(fleet, traffic, () => postgres.connections())
  })

  test('in progress when all connections are cut leaves nothing half done', async () => {
    const traffic = await startTraffic(
      fleet.processes.map(({ baseUrl }) => baseUrl),
      'cut',
    )
    for (let times = 1; times <= 8; times += 1) {
      const seen = traffic.count('ok')
      await until(() => traffic.count('ok') > seen + 10)
      proxy.cutAll()
    }
    const cutAt = performance.now()
    await until(() => traffic.count('ok', cutAt) > 60)
    assert.ok(traffic.count('away') > 0)
    await assertUnharmed(fleet, traffic, () => postgres.connections())
  })

  test('on a connection that drops every packet times out, and later ones use a new connection [F11]', async () => {
    await surviveUnderTraffic(fleet, {
      name: 'swallowed',
      connections: () => postgres.connections(),
      leave: async () => proxy.swallow(),
      comeBack: async () => proxy.pass(),
    })
  })

  for (const [index, [what, trigger]] of Object.entries({
    'as it changes the key': 'create trigger broken before update on api_keys for each row execute function broken()',
    'in its last statement':
      'create trigger broken before insert on security_events for each row execute function broken()',
    'as it commits':
      'create constraint trigger broken after update on api_keys deferrable initially deferred for each row execute function broken()',
  }).entries()) {
    test(`that revokes and fails ${what} is never answered with success, and revokes nothing [F15]`, async () => {
      const { token, apiKey } = await signUp(`broken${index}@example.com`)
      await postgres.query(`create function broken() returns trigger language plpgsql as $$
        begin raise exception 'broken on purpose'; end $$`)
      await postgres.query(trigger)
      try {
        const answer = await revoke(apiKey.id, token)
        assertError(answer, 'INTERNAL')
        assert.ok(!answer.text.includes('purpose'))
        assert.equal(await stateOf(token), 200, 'the token is unchanged')
        assert.equal(await eventsOf('key_revoked', apiKey.id), 0)
      } finally {
        await postgres.query('drop function broken cascade')
      }
      assert.equal((await revoke(apiKey.id, token)).status, 200)
      assert.equal(await stateOf(token), 401)
    })
  }

  for (const code of ['40001', '40P01']) {
    /** Makes the first `times` changes of keys fail with this code, and returns the number of attempts. */
    async function failing(times: number, work: () => Promise<void>): Promise<number> {
      await postgres.query('create sequence tried')
      await postgres.query(`create function retried() returns trigger language plpgsql as $$
        begin
          if nextval('tried') <= ${times} then raise exception 'try again' using errcode = '${code}'; end if;
          return new;
        end $$`)
      await postgres.query(
        'create trigger retried before update of revoked_at_ms on api_keys for each row execute function retried()',
      )
      try {
        await work()
        const [{ tried }] = await postgres.query('select last_value::int as tried from tried')
        return tried
      } finally {
        await postgres.query('drop function retried cascade')
        await postgres.query('drop sequence tried')
      }
    }

    test(`refused with ${code} is retried and takes effect once [F13]`, async () => {
      const { token, apiKey } = await signUp(`retried${code.toLowerCase()}@example.com`)
      const tried = await failing(3, async () => assert.equal((await revoke(apiKey.id, token)).status, 200))
      assert.equal(tried, 4)
      assert.equal(await eventsOf('key_revoked', apiKey.id), 1)
      assert.equal(await stateOf(token), 401)
    })

    test(`refused with ${code} on every attempt gets 503 and has no effect [F13]`, async () => {
      const { token, apiKey } = await signUp(`given-up${code.toLowerCase()}@example.com`)
      const tried = await failing(1000, async () => {
        const answer = await revoke(apiKey.id, token)
        assertError(answer, 'UNAVAILABLE')
        assert.equal(answer.headers.get('retry-after'), '1')
      })
      assert.equal(tried, MAX_ATTEMPTS)
      assert.equal(await eventsOf('key_revoked', apiKey.id), 0)
      assert.equal(await stateOf(token), 200)
    })
  }

  test('in a real deadlock is retried and takes effect once [F13]', async () => {
    const { token, apiKey } = await signUp('deadlock@example.com')
    const other = await holding(`select 1 from api_keys where id = '${apiKey.id}' for update`)
    const revoked = revoke(apiKey.id, token)
    await untilTransactionWaits()
    // Each holds the row the other wants; the server detects it and ends the one that waited first.
    await other.query(`select 1 from users where email = 'deadlock@example.com' for update`)
    await other.query('commit')
    await other.end()
    assert.equal((await revoked).status, 200)
    assert.equal(await eventsOf('key_revoked', apiKey.id), 1)
    assert.equal(await stateOf(token), 401)
  })

  test('that was committed but lost its answer is not answered with success, and a retry finds it done [F14]', async () => {
    const { token } = await signUp('lost@example.com')
    const { body: other } = await fleet.call('POST /auth/api-keys', { token, body: { name: 'Other' } })
    const lost = proxy.loseNextCommit('update "api_keys" set "revoked_at_ms"')
    const answer = await revoke(other.apiKey.id, token)
    await lost
    assertError(answer, 'UNAVAILABLE')
    await until(async () => (await eventsOf('key_revoked', other.apiKey.id)) === 1)
    const [row] = await postgres.query('select revoked_at_ms::float8 as at from api_keys where id = $1', [
      other.apiKey.id,
    ])
    const again = await revoke(other.apiKey.id, token)
    assert.equal(again.status, 200, again.text)
    assert.equal(Date.parse(again.body.apiKey.revokedAt), row.at, 'with its original time')
    assert.equal(await eventsOf('key_revoked', other.apiKey.id), 1, 'exactly once')
    assert.equal(
      (await fleet.call('POST /auth/api/token', { body: { keyId: other.apiKey.keyId, keySecret: other.keySecret } }))
        .status,
      401,
    )

    const versionBefore = await versionOf('lost@example.com')
    const lostAgain = proxy.loseNextCommit('"token_version" = "token_version" +')
    const signedOut = await fleet.call('POST /auth/tokens/revoke', { token })
    await lostAgain
    assertError(signedOut, 'UNAVAILABLE')
    await until(async () => (await stateOf(token)) === 401)
    assertError(await fleet.call('POST /auth/tokens/revoke', { token }), 'UNAUTHORIZED')
    assert.equal(await versionOf('lost@example.com'), versionBefore + 1, 'counted once')
  })

  test('of a paused process does not block a row for ever [F4]', async () => {
    const { token } = await signUp('held@example.com')
    const [first, second] = fleet.processes
    assert.ok(first && second)
    const other = await holding(`select 1 from users where email = 'held@example.com' for update`)
    const renamed = first.call('PATCH /users/me', { token, body: { name: 'From the past' } })
    await untilTransactionWaits()
    first.process.kill('SIGSTOP')
    try {
      // The paused process's transaction gets the row.
      await other.query('commit')
      await other.end()
      let signedOut = await second.call('POST /auth/tokens/revoke', { token })
      for (let tries = 1; signedOut.status === 503 && tries < 20; tries += 1) {
        signedOut = await second.call('POST /auth/tokens/revoke', { token })
      }
      assert.equal(signedOut.status, 200, signedOut.text)
    } finally {
      first.process.kill('SIGCONT')
    }
    assertError(await renamed, 'UNAVAILABLE')
    const [{ name }] = await postgres.query(`select name from users where email = 'held@example.com'`)
    assert.equal(name, null)
  })
})
