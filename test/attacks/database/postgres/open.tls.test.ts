import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { unavailableReasonOf } from '../../../../src/database/open.ts'
import { openPostgres } from '../../../../src/database/postgres/open.ts'
import { createLog } from '../../../../src/lib/log.ts'
import { selfSigned } from '../../../support/http/certificate.ts'
import { startCluster } from '../../../support/postgres/cluster.ts'
import type { Cluster } from '../../../support/postgres/cluster.ts'
import { temporaryFolder } from '../../../support/files.ts'
import { runCli } from '../../../support/process/process.ts'
import { until } from '../../../support/until.ts'

const JWT_SECRET = 'a-test-secret-of-more-than-thirty-two-bytes'
const PASSWORD = 'hunter2-Pa55word'
/** Long enough to connect, and far shorter than the query. */
const SHORT_TIMEOUTS = { answerTimeoutMs: 300, connectTimeoutMs: 20_000 }
/** An address of this machine that the certificate does not name. */
const OTHER_NAME = '127.0.0.2'

describe('the connection to PostgreSQL', () => {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder.path, name)
  let cluster: Cluster
  before(async () => {
    const { cert, key } = selfSigned()
    writeFileSync(at('ca.crt'), cert)
    writeFileSync(at('other.crt'), selfSigned().cert)
    cluster = await startCluster(
      {
        listen_addresses: `127.0.0.1,${OTHER_NAME}`,
        ssl: 'on',
        ssl_cert_file: '../server.crt',
        ssl_key_file: '../server.key',
      },
      { 'server.crt': cert, 'server.key': key },
    )
  })
  after(async () => {
    await cluster?.stop()
    folder.remove()
  })

  function urlWith(parameters: string, host = 'localhost'): string {
    const url = new URL(cluster.url)
    Object.assign(url, { hostname: host, password: PASSWORD, search: parameters })
    return url.href
  }
  async function isEncrypted(url: string): Promise<boolean | undefined> {
    const db = openPostgres(url, 2, createLog('silent'))
    try {
      const { rows } = await sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(
        db.query,
      )
      return rows[0]?.ssl
    } finally {
      await db.close()
    }
  }

  test('is encrypted with the server’s own CA in every sslmode that asks for TLS', async () => {
    for (const mode of ['verify-full', 'verify-ca', 'require', 'prefer']) {
      assert.equal(await isEncrypted(urlWith(`sslmode=${mode}&sslrootcert=${at('ca.crt')}`)), true, mode)
    }
    assert.equal(await isEncrypted(urlWith('sslmode=no-verify')), true)
    assert.equal(await isEncrypted(urlWith('sslmode=disable')), false)
  })

  test('is refused to a server with another name, even with the right CA', async () => {
    const url = urlWith(`sslmode=verify-full&sslrootcert=${at('ca.crt')}`, OTHER_NAME)
    await assert.rejects(isEncrypted(url), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    assert.equal(await isEncrypted(urlWith('sslmode=no-verify', OTHER_NAME)), true, 'the server listens there')
  })

  test('is refused to a server without a trusted CA, or with another CA', async () => {
    for (const mode of ['verify-full', 'verify-ca', 'require', 'prefer']) {
      for (const authority of ['', `&sslrootcert=${at('other.crt')}`]) {
        await assert.rejects(isEncrypted(urlWith(`sslmode=${mode}${authority}`)), (error: unknown) => {
          assert.match(String((error as NodeJS.ErrnoException).code), /SELF_SIGNED|UNABLE_TO/)
          assert.equal(unavailableReasonOf(error), 'unreachable', 'callers get 503')
          return true
        })
      }
    }
  })

  test('reports a failure at startup in one line, without the password', async () => {
    const url = urlWith('sslmode=verify-full')
    const { code, output } = await runCli(['migrate'], { cwd: folder.path, env: { DATABASE_URL: url, JWT_SECRET } })
      .exited
    assert.equal(code, 1, output)
    assert.match(output, /^The database cannot be used: .*certificate.*\. Check DATABASE_URL/m)
    assert.doesNotMatch(output, /^\s+at /m)
    assert.ok(!output.includes(PASSWORD))
  })

  test('cancels a query over TLS too when its client has stopped waiting', async () => {
    const url = urlWith(`sslmode=verify-full&sslrootcert=${at('ca.crt')}`)
    const [hurried, watching] = [
      openPostgres(url, 2, createLog('silent'), SHORT_TIMEOUTS),
      openPostgres(url, 2, createLog('silent')),
    ]
    try {
      await assert.rejects(
        sql`select pg_sleep(60)`.execute(hurried.query),
        (error) => unavailableReasonOf(error) === 'unreachable',
      )
      await until(async () => {
        const sleeping = sql`select 1 from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'`
        return (await sleeping.execute(watching.query)).rows.length === 0
      }, 'the query is cancelled')
    } finally {
      await Promise.all([hurried.close(), watching.close()])
    }
  })
})
