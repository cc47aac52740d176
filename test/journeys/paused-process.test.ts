import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { keyIdOfSecret } from '../../src/lib/hash.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { toAnswer, untilClosed } from '../support/wire/raw.ts'
import { serveIn, skipsSeveral } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'
import { mint, read } from '../support/accounts/tokens.ts'

const JWT_SECRET = 'a-test-secret-of-more-than-thirty-two-bytes'

describe('a process that is stopped and continued', { skip: skipsSeveral }, () => {
  const folder = temporaryFolder()
  let smtp: SmtpStandIn
  let paused: Served
  let other: Served
  before(async () => {
    smtp = await startSmtp()
    const env = { PUBLIC_URL: `http://127.0.0.1:${await freePort()}`, JWT_SECRET, SMTP_URL: smtp.url }
    paused = await serveIn(folder.path, env)
    other = await serveIn(folder.path, env)
  })
  after(async () => {
    for (const { process } of [paused, other]) process.kill('SIGKILL')
    await smtp.close()
    folder.remove()
  })

  /** Sends a request to the stopped process, which answers once it continues. */
  function send(route: string, { token, body }: { token?: string; body?: unknown } = {}) {
    const [method, path] = route.split(' ')
    const content = body === undefined ? '' : JSON.stringify(body)
    const { hostname, port } = new URL(paused.origin)
    const socket = connect(Number(port), hostname)
    const answered = untilClosed(socket).then(toAnswer)
    socket.write(
      [
        `${method} /api/v1${path} HTTP/1.1`,
        `Host: ${hostname}:${port}`,
        'Connection: close',
        'Accept: */*',
        ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
        ...(content === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`]),
        '',
        content,
      ].join('\r\n'),
    )
    return answered
  }

  test('accepts nothing that was revoked, used up or expired meanwhile, and still serves the rest [F4]', async () => {
    const signUp = async (email: string) => (await other.call('POST /auth/api/signup', { body: { email } })).body
    const [signedOut, revoked, untouched] = [
      await signUp('out@example.com'),
      await signUp('revoked@example.com'),
      await signUp('untouched@example.com'),
    ]
    await other.call('POST /auth/request', { body: { email: 'link@example.com' } })
    const link = /token=([\w-]+)/.exec((await smtp.mailTo('link@example.com')).message.text ?? '')?.[1] ?? ''
    const { header, claims } = read(untouched.token)
    assert.equal(header['kid'], keyIdOfSecret(JWT_SECRET))
    const exchange = ({ apiKey, keySecret }: any) => ({ body: { keyId: apiKey.keyId, keySecret } })
    // The process has read the state of each credential, so that it could have cached it.
    assert.equal((await paused.call('POST /auth/api/token', exchange(revoked))).status, 200)
    const exp = Math.floor(Date.now() / 1000) + 3
    const shortLived = mint({ header, claims: { ...claims, exp }, secret: JWT_SECRET })
    for (const token of [shortLived, signedOut.token, revoked.token, untouched.token]) {
      assert.equal((await paused.call('GET /users/me', { token })).status, 200)
    }

    paused.process.kill('SIGSTOP')
    assert.equal((await other.call('POST /auth/tokens/revoke', { token: signedOut.token })).status, 200)
    assert.equal(
      (await other.call(`POST /auth/api-keys/${revoked.apiKey.id}/revoke`, { token: revoked.token })).status,
      200,
    )
    assert.equal((await other.call(`GET /auth/verify?token=${link}`)).status, 200)
    // These are sent after the revocations were answered, and wait in the socket's queue.
    const late = {
      signedOut: send('GET /users/me', signedOut),
      creating: send('POST /auth/api-keys', { token: signedOut.token, body: { name: 'Late' } }),
      revokedToken: send('GET /users/me', { token: revoked.token }),
      revokedKey: send('POST /auth/api/token', exchange(revoked)),
      link: send(`GET /auth/verify?token=${link}`),
      shortLived: send('GET /users/me', { token: shortLived }),
      untouched: send('GET /users/me', { token: untouched.token }),
      asked: send('POST /auth/request', { body: { email: 'late@example.com' } }),
    }
    await wait(Math.max(0, exp * 1000 - Date.now()) + 50)
    paused.process.kill('SIGCONT')

    const codes = Object.fromEntries(
      await Promise.all(
        Object.entries(late).map(async ([name, answered]) => {
          const { status, body } = await answered
          return [name, body?.error?.code ?? status] as const
        }),
      ),
    )
    assert.deepEqual(codes, {
      signedOut: 'UNAUTHORIZED',
      creating: 'UNAUTHORIZED',
      revokedToken: 'UNAUTHORIZED',
      revokedKey: 'INVALID_CREDENTIALS',
      link: 'LINK_INVALID',
      shortLived: 'UNAUTHORIZED',
      untouched: 200,
      asked: 200,
    })
    await smtp.mailTo('late@example.com')
    assert.equal((await paused.call('POST /auth/api/token', exchange(untouched))).status, 200)
  })
})
