/** On a full disk, what ends access still succeeds: the service keeps space for it (docs/decisions/0047). */
import assert from 'node:assert/strict'
import { statSync, truncateSync } from 'node:fs'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { appsOf, connect, consent, redeem, startApp } from '../support/accounts/apps.ts'
import { signInIdOf } from '../support/accounts/sessions.ts'
import { freePort } from '../support/files.ts'
import { fillUp, isRefused, signUp } from '../support/database/full-disk.ts'
import { cannotMount, mountSmallDisk } from '../support/database/small-disk.ts'
import type { SmallDisk } from '../support/database/small-disk.ts'
import { buttonIn } from '../support/mail/buttons.ts'
import { linkIn, MAIL_WITHIN_MS, startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'
import { postForm } from '../support/http/oauth.ts'
import { METRICS_TOKEN, scrape, valueOf } from '../support/process/metrics.ts'
import { operatorIn } from '../support/process/operator.ts'
import type { Operator } from '../support/process/operator.ts'
import { assertWhole, databasePath, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { until } from '../support/until.ts'

const RESERVE_BYTES = 8 * 1024 * 1024

const PERSON = 'person@example.com'

type Account = Readonly<{ email: string; token: string; apiKey: { id: string; keyId: string }; keySecret: string }>

describe('on a full disk', { skip: cannotMount }, () => {
  let disk: SmallDisk
  let smtp: SmtpStandIn
  let env: Record<string, string>
  let service: Served
  let operator: Operator
  before(async () => {
    smtp = await startSmtp()
  })
  after(() => smtp.close())
  beforeEach(async () => {
    disk = mountSmallDisk(40)
    env = { SMTP_URL: smtp.url, PORT: String(await freePort()), METRICS_TOKEN }
    await serve()
    operator = operatorIn(disk.path, { LOG_LEVEL: 'warn' })
    await until(() => reserveBytes() === RESERVE_BYTES, 'the reserve is whole')
  })
  afterEach(async () => {
    service?.process.kill('SIGKILL')
    await service?.process.exited
    disk.remove()
  })

  const serve = async () => (service = await serveIn(disk.path, env))
  const reserveFile = () => `${databasePath(disk.path)}-reserve`
  const reserveBytes = () => statSync(reserveFile(), { throwIfNoEntry: false })?.size
  const accounts = (count: number): Promise<Account[]> =>
    Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const email = `n${n}@example.com`
        return { email, ...(await signUp(service, email)).body }
      }),
    )
  const signIn = async (): Promise<string> => {
    await service.call('POST /auth/request', { body: { email: PERSON } })
    const { search } = linkIn(await smtp.mailTo(PERSON, MAIL_WITHIN_MS, '/auth/verify?'))
    return (await service.call(`GET /auth/verify${search}`)).body.token
  }
  const statusOf = async (token: string) => (await service.call('GET /users/me', { token })).status
  const exchange = ({ apiKey, keySecret }: Account) =>
    service.call('POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret } })
  const ready = async () => {
    const answer = await fetch(`${service.origin}/readyz`)
    return [answer.status, await answer.json()]
  }
  const metric = async (name: string, labels = {}) => valueOf(await scrape(service.origin), name, labels)

  /** An account whose address was changed: the token of the sign-in, and of the undo in the mail to the old address. */
  async function changedAddress(email: string): Promise<{ token: string; undo: string }> {
    await service.call('POST /auth/request', { body: { email } })
    const { search } = linkIn(await smtp.mailTo(email), '/auth/verify?')
    const signedIn: { token: string } = (await service.call(`GET /auth/verify${search}`)).body
    const newEmail = `new-${email}`
    await service.call('POST /users/me/email', { token: signedIn.token, body: { email: newEmail } })
    const body = { token: buttonIn(await smtp.mailTo(newEmail), 'confirm-email') }
    const { token }: { token: string } = (
      await service.call('POST /auth/email/confirm', { token: signedIn.token, body })
    ).body
    return { token, undo: buttonIn(await smtp.mailTo(email, undefined, '/undo-email#'), 'undo-email') }
  }

  /** Fills the rest of the disk too, as a program does that writes a log. */
  const fillAgain = () => disk.fill()

  test('tokens and keys are revoked, reported, disowned and disabled, a change of an address is undone, other writes are refused, and a crash undoes nothing', async (t) => {
    const [signedOut, revoked, byClient, leaked, disowned, disabled, cliRevoked, cliSignedOut, writer] =
      await accounts(9)
    assert.ok(
      signedOut && revoked && byClient && leaked && disowned && disabled && cliRevoked && cliSignedOut && writer,
    )
    const notMe = buttonIn(await smtp.mailTo(disowned.email), 'not-me')
    const [left, ended, cliEnded, kept] = [await signIn(), await signIn(), await signIn(), await signIn()]
    const moved = await changedAddress('moved@example.com')
    const app = await startApp(t)
    const disconnected = await connect(service, kept, app)
    const [{ id: appId }] = await appsOf(service, kept)
    const authorizationCode = await consent(service, kept, app)
    const { access_token: reused }: { access_token: string } = (await redeem(service, app, authorizationCode)).body
    const makeRoom = await fillUp(disk, service, writer.token)
    // The log has some space of its own; revocations must not depend on it.
    let used = 0
    while (reserveBytes() === RESERVE_BYTES) {
      const { token }: { token: string } = (await exchange(writer)).body
      assert.equal((await service.call('POST /auth/tokens/revoke', { token })).status, 200)
      used += 1
    }
    assert.ok(used > 0)
    assert.equal((await service.call('POST /auth/tokens/revoke', { token: signedOut.token })).status, 200)
    const revoke = `POST /auth/api-keys/${revoked.apiKey.id}/revoke?withDescendants=true`
    assert.equal((await service.call(revoke, { token: revoked.token })).status, 200)
    assert.equal((await postForm(service, '/oauth/revoke', { token: byClient.token })).status, 200)
    assert.equal((await service.call(`POST /auth/apps/${appId}/revoke`, { token: kept })).status, 200)
    assert.equal((await redeem(service, app, authorizationCode)).status, 400)
    const secrets = [{ keySecret: leaked.keySecret }]
    assert.equal((await service.call('POST /auth/api-keys/leaked', { body: { secrets } })).status, 200)
    assert.equal((await service.call('POST /auth/links/not-me', { body: { token: notMe } })).status, 200)
    assert.equal((await service.call('POST /auth/sign-out', { token: left })).status, 200)
    const revokeSession = `POST /auth/sessions/${signInIdOf(ended)}/revoke`
    assert.equal((await service.call(revokeSession, { token: kept })).status, 200)
    assert.equal((await service.call('POST /auth/email/undo', { body: { token: moved.undo } })).status, 200)
    for (const args of [
      ['sessions', 'revoke', PERSON, signInIdOf(cliEnded)],
      ['users', 'disable', disabled.email],
      ['keys', 'revoke', cliRevoked.apiKey.keyId],
      ['users', 'revoke-tokens', cliSignedOut.email],
    ]) {
      const { code, output } = await operator.run(...args, '--yes')
      assert.equal(code, 0, output)
    }

    const { token: current } = (await exchange(writer)).body
    const assertInForce = async () => {
      const all = [signedOut, revoked, byClient, leaked, disowned, disabled, cliRevoked, cliSignedOut, moved]
      assert.deepEqual(
        await Promise.all(all.map(({ token }) => statusOf(token))),
        all.map(() => 401),
      )
      for (const account of [revoked, byClient, leaked, disabled, cliRevoked])
        assert.equal((await exchange(account)).status, 401, account.email)
      for (const token of [left, ended, cliEnded, disconnected, reused]) assert.equal(await statusOf(token), 401)
      for (const token of [current, kept]) assert.equal(await statusOf(token), 200, 'what was not revoked is unharmed')
    }
    const rename = () => service.call('PATCH /users/me', { token: current, body: { name: 'New' } })
    await assertInForce()
    const refused = await rename()
    assert.ok(isRefused(refused), 'what was released is for revocations')
    assert.match(refused.body.error.message, /^The disk of the server has no space left/)
    assert.deepEqual(await ready(), [200, { status: 'degraded', reason: 'disk_full' }])
    assert.match(service.process.output(), /"logBytes":\d+,"msg":"no space left: free \d+ MB in [^"]*data; /)
    assert.doesNotMatch(service.process.output(), /permission/i)
    assert.equal(await metric('database_full'), 1)
    assert.equal(await metric('database_reserve_whole'), 0)
    assert.ok(((await metric('database_free_bytes')) ?? Infinity) < 1_000_000)
    assert.ok(((await metric('database_refusals_total', { reason: 'disk_full' })) ?? 0) > 0)

    service.process.kill('SIGKILL')
    await service.process.exited
    await serve()
    await assertInForce()
    assert.ok(isRefused(await rename()))

    makeRoom()
    await until(async () => (await rename()).status === 200, 'writes are accepted again')
    assert.equal(reserveBytes(), RESERVE_BYTES)
    assert.deepEqual(await ready(), [200, { status: 'ok' }])
    assert.equal(await metric('database_reserve_whole'), 1)
    await service.stop()
    await assertWhole(disk.path)
  })

  test('that another program keeps filling, each slice of the reserve lets a revocation through', async () => {
    const some = await accounts(60)
    const [writer, ...others] = some
    assert.ok(writer)
    const makeRoom = await fillUp(disk, service, writer.token)
    let done = 0
    for (const { token } of others) {
      fillAgain()
      const answer = await service.call('POST /auth/tokens/revoke', { token })
      if (isRefused(answer)) {
        assert.equal(await statusOf(token), 200)
        break
      }
      assert.equal(answer.status, 200, answer.text)
      assert.equal(await statusOf(token), 401)
      done += 1
    }
    assert.ok(done >= 32, `${done} succeeded`)
    makeRoom()
  })

  test('fifty revocations at once succeed', async () => {
    const [writer, ...others] = await accounts(51)
    assert.ok(writer)
    const makeRoom = await fillUp(disk, service, writer.token)
    const answers = await Promise.all(others.map(({ token }) => service.call('POST /auth/tokens/revoke', { token })))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.ok((reserveBytes() ?? 0) > RESERVE_BYTES / 2, 'they share what is released')
    makeRoom()
  })

  test('without a reserve left, revocations are refused, and the service says so', async () => {
    const [writer, other] = await accounts(2)
    assert.ok(writer && other)
    const makeRoom = await fillUp(disk, service, writer.token)
    truncateSync(reserveFile())
    fillAgain()
    // The log may have space of its own left, up to 1,500 frames; a round takes at least three.
    let isRevocationRefused = false
    for (let rounds = 0; rounds < 1000 && !isRevocationRefused; rounds += 1) {
      const { token }: { token: string } = (await exchange(other)).body
      isRevocationRefused = isRefused(await service.call('POST /auth/tokens/revoke', { token }))
      fillAgain()
    }
    assert.ok(isRevocationRefused)
    assert.equal(await metric('database_reserve_whole'), 0)
    makeRoom()
  })

  test('a command disables an account while the service is stopped, and the service starts', async () => {
    const [user] = await accounts(1)
    assert.ok(user)
    await service.stop()
    disk.fill()
    const { code, output } = await operator.run('users', 'disable', user.email, '--yes')
    assert.equal(code, 0, output)
    fillAgain()
    await serve()
    assert.equal(await statusOf(user.token), 401)
    assert.ok(isRefused(await signUp(service, 'refused@full.example')))
  })
})
