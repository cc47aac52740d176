import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../support/http/answers.ts'
import { temporaryFolder } from '../support/files.ts'
import { serveIn, skipsSeveral } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { shiftedBy } from '../support/faults/shifted-clock.ts'
import { linkIn, startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'

const APART_MS = 2000

describe('two processes on one database, one clock 2 seconds ahead', { skip: skipsSeveral }, () => {
  const folder = temporaryFolder()
  let smtp: SmtpStandIn
  let behind: Served
  let ahead: Served
  before(async () => {
    smtp = await startSmtp()
    behind = await serveIn(folder.path, { SMTP_URL: smtp.url })
    const settings = { SMTP_URL: smtp.url, PUBLIC_URL: behind.origin, ...shiftedBy(APART_MS) }
    ahead = await serveIn(folder.path, settings)
  })
  after(async () => {
    await Promise.all([behind, ahead].map((served) => served?.stop()))
    await smtp.close()
    folder.remove()
  })

  const signUp = async (served: Served, email: string) =>
    (await served.call('POST /auth/api/signup', { body: { email } })).body
  const createKey = async (served: Served, token: string) =>
    (await served.call('POST /auth/api-keys', { token, body: { expiresInDays: 1 } })).body

  test('control: their clocks differ', async () => {
    const { token } = await signUp(behind, 'ana@example.com')
    const times = [await createKey(behind, token), await createKey(ahead, token)].map(({ apiKey }) =>
      Date.parse(apiKey.createdAt),
    )
    assert.ok(times[1]! - times[0]! >= APART_MS, times.join())
    assert.ok(times[1]! - times[0]! < APART_MS + 30_000, times.join())
  })

  test('each accepts a token of the other at the moment it is issued [F30]', async () => {
    for (const [issuer, verifier] of [
      [behind, ahead],
      [ahead, behind],
    ] as const) {
      const email = issuer === ahead ? 'bob@example.com' : 'cia@example.com'
      const { token, apiKey, keySecret } = await signUp(issuer, email)
      const body = { keyId: apiKey.keyId, keySecret }
      const tokens = [token]
      for (let n = 0; n < 5; n += 1) {
        tokens.push((await issuer.call('POST /auth/api/token', { body })).body.token)
        const answer = await verifier.call('GET /users/me', { token: tokens.at(-1) ?? '' })
        assert.equal(answer.status, 200, answer.text)
      }
      const made = await createKey(verifier, token)
      assert.equal(made.apiKey.name, 'API key')
      const exchanged = await issuer.call('POST /auth/api/token', {
        body: { keyId: made.apiKey.keyId, keySecret: made.keySecret },
      })
      assert.equal(exchanged.status, 200)
    }
  })

  test('each refuses what the other revoked, whichever clock is ahead [F30]', async () => {
    for (const [revoker, other] of [
      [behind, ahead],
      [ahead, behind],
    ] as const) {
      const email = revoker === ahead ? 'dan@example.com' : 'eva@example.com'
      const { token, apiKey, keySecret } = await signUp(other, email)
      const revoked = await revoker.call(`POST /auth/api-keys/${apiKey.id}/revoke`, { token })
      assert.equal(revoked.status, 200)
      assertError(await other.call('GET /users/me', { token }), 'UNAUTHORIZED')
      const body = { keyId: apiKey.keyId, keySecret }
      assertError(await other.call('POST /auth/api/token', { body }), 'INVALID_CREDENTIALS')
    }
  })

  test('a mailed link works at either of them, once [F30]', async () => {
    for (const [requested, used] of [
      [behind, ahead],
      [ahead, behind],
    ] as const) {
      const email = requested === ahead ? 'fay@example.com' : 'gus@example.com'
      await requested.call('POST /auth/request', { body: { email } })
      const { search } = linkIn(await smtp.mailTo(email))
      const verified = await used.call(`GET /auth/verify${search}`)
      assert.equal(verified.status, 200, verified.text)
      assertError(await requested.call(`GET /auth/verify${search}`), 'LINK_INVALID')
      const { token } = verified.body
      assert.equal((await requested.call('GET /users/me', { token })).status, 200)
    }
  })
})
