import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { freePort, temporaryFolder } from '../support/files.ts'
import { startIssuer } from '../support/google/issuer.ts'
import type { Issuer } from '../support/google/issuer.ts'
import { operatorIn } from '../support/process/operator.ts'
import { connectToDatabase, databaseEnv, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { shiftedBy } from '../support/faults/shifted-clock.ts'
import { holdRates } from '../support/accounts/payment-links.ts'
import { startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'

describe('doctor, beside a healthy service', () => {
  const folder = temporaryFolder()
  let smtp: SmtpStandIn
  let issuer: Issuer
  let env: Record<string, string>
  let service: Served
  before(async () => {
    smtp = await startSmtp()
    issuer = await startIssuer()
    env = { PORT: String(await freePort()), SMTP_URL: smtp.url, ...issuer.env, ...(await databaseEnv(folder.path)) }
    service = await serveIn(folder.path, env)
    env = { ...env, PUBLIC_URL: service.origin }
  })
  after(async () => {
    await service?.stop()
    await smtp?.close()
    await issuer?.close()
    folder.remove()
  })

  /** The output of every failed check with these settings. */
  async function failedChecks(changes: Record<string, string>, code = 1): Promise<Record<string, string>> {
    const { output, code: ended } = await operatorIn(folder.path, { ...env, ...changes }).run('doctor', '--json')
    assert.equal(ended, code, output)
    const { findings } = JSON.parse(output) as { findings: { check: string; ok: boolean; says: string }[] }
    return Object.fromEntries(findings.filter(({ ok }) => !ok).map(({ check, says }) => [check, says]))
  }

  test('reports success for each check, one line each, and sends no mail', async () => {
    const { code, output } = await operatorIn(folder.path, env).run('doctor')
    assert.equal(code, 0, output)
    assert.deepEqual(output.match(/^ok +(settings|database|mail|Google|rates|clock|public URL) /gm)?.length, 7, output)
    assert.equal(output.trim().split('\n').length, 7)
    assert.deepEqual(smtp.mails, [])
  })

  test('reports each problem with its remedy, and still runs the other checks', async () => {
    const impostor = createServer((_request, response) => void response.end('{"hello":"world"}')).listen(0, '127.0.0.1')
    await once(impostor, 'listening')
    const elsewhere = `http://127.0.0.1:${(impostor.address() as AddressInfo).port}`
    const nobody = await freePort()
    try {
      const cases: [string, Record<string, string>, RegExp][] = [
        ['mail', { SMTP_URL: `smtp://127.0.0.1:${nobody}` }, /: refused: nothing accepts.*runs\. Check SMTP_URL\.$/],
        [
          'mail',
          { SMTP_URL: `smtps://127.0.0.1:${new URL(smtp.url).port}` },
          /: TLS: .*port speaks TLS\. Check SMTP_URL\.$/,
        ],
        ['mail', { SMTP_URL: 'smtp://no-such-host.invalid' }, /: DNS: the server’s name was not resolved/],
        ['Google', { GOOGLE_ISSUER: elsewhere }, /with issuer undefined.*Check GOOGLE_ISSUER/],
        ['Google', { GOOGLE_ISSUER: `http://127.0.0.1:${nobody}` }, /: refused: nothing accepts/],
        ['database', { DATABASE_URL: `postgres://u:p@127.0.0.1:${nobody}/x` }, /: refused: nothing accepts/],
        [
          'database',
          { DATABASE_URL: 'postgres://u:p@no-such-host.invalid/x?sslmode=disable' },
          /: DNS: the server’s name was not resolved/,
        ],
        ['public URL', { PUBLIC_URL: elsewhere }, /but not like this service/],
        ['public URL', { PUBLIC_URL: `http://127.0.0.1:${nobody}` }, /Start the service/],
        ['public URL', { GOOGLE_CLIENT_ID: 'another' }, /different settings/],
        ['clock', shiftedBy(-60_000), /(59|60|61) s behind .*NTP/],
      ]
      const found = await Promise.all(cases.map(([, changes]) => failedChecks(changes)))
      for (const [n, [check, , says]] of cases.entries()) {
        assert.deepEqual(
          Object.keys(found[n] ?? {}).filter((name) => name !== 'rates' || check !== 'database'),
          [check],
        )
        assert.doesNotMatch(JSON.stringify(found[n]), /ECONN|ENOTFOUND|error:|\\n/)
        assert.match(found[n]?.[check] ?? '', says)
      }
    } finally {
      impostor.close()
    }
  })

  test('reports exchange rates that are missing although a source is set, or too old to last', async () => {
    const db = await connectToDatabase(folder.path)
    const off = { EXCHANGE_RATES_URL: 'off' }
    const production = { EXCHANGE_RATES_URL: 'https://rates.example/x.xml', HOST: '0.0.0.0' }
    const hold = (days: number) =>
      holdRates(db, new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10), { EUR: '5', GBP: '6' })
    try {
      assert.match((await failedChecks(production))['rates'] ?? '', /^none: .* null\. Check .*rates\.example/)
      assert.deepEqual(await failedChecks(off, 0), {})
      await hold(7)
      assert.match((await failedChecks(production))['rates'] ?? '', /^7 days old.*not used.*rates\.example/)
      assert.match((await failedChecks(off))['rates'] ?? '', /^7 days old.*paylink-auth rates load/)
      await hold(1)
      assert.deepEqual(await failedChecks(production, 0), {})
    } finally {
      await db.query.deleteFrom('exchange_rates').execute()
      await db.close()
    }
  })

  test('reports a missing database, and lists every wrong setting with exit code 78', async () => {
    const elsewhere = await failedChecks({ DATABASE_URL: 'sqlite:./elsewhere/none.db' })
    assert.match(elsewhere['database'] ?? '', /No database found/)
    assert.match((await failedChecks({ PORT: 'x' }, 78))['settings'] ?? '', /PORT/)
  })
})
