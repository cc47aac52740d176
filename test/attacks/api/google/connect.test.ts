import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { runInLockstep } from '../../../support/wire/lockstep.ts'
import { oneTap, startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import { connect, disconnect, subjectsOf } from '../../../support/google/identities.ts'
import { mailedToken, verify } from '../../../support/mail/links.ts'
import type { Answer } from '../../../support/service.ts'

let service: GoogleService
/** By user agent: holds a call between its guard and its handler until the test opens the gate. */
const gates = new Map<string, () => Promise<void>>()
before(async () => {
  service = await startGoogleService(
    {},
    undefined,
    (app) => void app.addHook('preHandler', async (request) => gates.get(request.headers['user-agent'] ?? '')?.()),
  )
})
after(() => service.close())

/** Sends a call, runs `act` after the guard has let it pass, then lets the call continue. */
async function actDuringCall(
  name: string,
  call: (headers: Record<string, string>) => Promise<Answer>,
  act: () => Promise<unknown>,
) {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  gates.set(name, () => {
    reached.resolve()
    return opened.promise
  })
  const answer = call({ 'user-agent': name })
  await reached.promise
  await act()
  opened.resolve()
  return answer
}

const connecting = (token: string, claims: Record<string, unknown>) => (headers: Record<string, string>) =>
  service.call('POST /auth/google/connection', {
    token,
    headers,
    body: { credential: service.issuer.sign(service.issuer.claims(claims)) },
  })

test('a thief’s connection is refused and leaves nothing if the owner claims the account between guard and write [P3]', async () => {
  const email = 'ana@corp.example'
  const thief = (await oneTap(service, { sub: 'thief ana', email })).body.token
  await disconnect(service, thief)
  const answer = await actDuringCall('claim', connecting(thief, { sub: 'planted ana' }), () => service.signIn(email))
  assertError(answer, 'UNAUTHORIZED')
  assert.deepEqual(await subjectsOf(service, email), [])
})

test('a sign-out between guard and write prevents connecting and disconnecting', async () => {
  const email = 'bob@example.com'
  const first = await service.signIn(email)
  const signOut = (token: string) => () => service.call('POST /auth/tokens/revoke', { token })
  assertError(await actDuringCall('out', connecting(first, { sub: 'bob' }), signOut(first)), 'UNAUTHORIZED')
  assert.deepEqual(await subjectsOf(service, email), [])

  const second = await service.signIn(email)
  await connect(service, second, { sub: 'bob' })
  const drop = (headers: Record<string, string>) =>
    service.call('DELETE /auth/google/connection', { token: second, headers })
  assertError(await actDuringCall('drop', drop, signOut(second)), 'UNAUTHORIZED')
  assert.deepEqual(await subjectsOf(service, email), ['bob'])
})

test('after a claim between guard and read, the earlier user does not see what the owner connected', async () => {
  const email = 'cia@gmail.com'
  const { token } = await service.signUp(email)
  const look = (headers: Record<string, string>) => service.call('GET /auth/google/connection', { token, headers })
  const answer = await actDuringCall('look', look, () => oneTap(service, { sub: 'cia', email }))
  assertError(answer, 'UNAUTHORIZED')
})

test('of twenty accounts that connect one Google account at once, one succeeds and is the one it signs in to', async () => {
  const emails = Array.from({ length: 20 }, (_, n) => `dan${n}@example.com`)
  const tokens = await Promise.all(emails.map((email) => service.signIn(email)))
  const answers = await runInLockstep(service, 20, (n) => connect(service, tokens[n] ?? '', { sub: 'dan' }))
  const [winner, ...more] = emails.filter((_, n) => answers[n]?.status === 200)
  assert.deepEqual(more, [])
  for (const answer of answers) if (answer.status !== 200) assertError(answer, 'GOOGLE_ALREADY_CONNECTED')
  assert.equal((await oneTap(service, { sub: 'dan' })).body.user.email, winner)
})

test('of twenty Google accounts that one account connects at once, one is connected', async () => {
  const email = 'eva@example.com'
  const token = await service.signIn(email)
  const answers = await runInLockstep(service, 20, (n) => connect(service, token, { sub: `eva${n}` }))
  const winners = answers.flatMap(({ status }, n) => (status === 200 ? [`eva${n}`] : []))
  assert.equal(winners.length, 1)
  assert.deepEqual(await subjectsOf(service, email), winners)
})

test('a credential used to connect and to sign in at once does one of the two', async () => {
  const email = 'fay@example.com'
  const token = await service.signIn(email)
  const { issuer, call } = service
  for (let round = 0; round < 4; round += 1) {
    const body = { credential: issuer.sign(issuer.claims({ sub: `fay${round}`, email: `fay${round}@third.example` })) }
    const routes = ['POST /auth/google/onetap', 'POST /auth/google/connection']
    const answers = await runInLockstep(service, 8, (n) => call(routes[(n + round) % 2] ?? '', { body, token }))
    const spent = answers.filter((answer) => answer.body.error?.code === 'GOOGLE_CREDENTIAL_INVALID')
    // A connection refused with GOOGLE_ALREADY_CONNECTED spends no credential.
    const refused = answers.filter((answer) => answer.body.error?.code === 'GOOGLE_ALREADY_CONNECTED')
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(spent.length + refused.length, 7)
  }
})

test('a thief’s connection does not survive a concurrent claim by the owner, in any order [P3, M14]', async () => {
  for (let round = 0; round < 5; round += 1) {
    const email = `gus${round}@corp.example`
    const thief = (await oneTap(service, { sub: `thief ${email}`, email })).body.token
    await disconnect(service, thief)
    const link = await mailedToken(service, email)
    const answers = await runInLockstep(service, 10, (n) =>
      n === round * 2 ? verify(service, link) : connect(service, thief, { sub: `planted ${email}` }),
    )
    assert.equal(answers[round * 2]?.status, 200)
    assert.deepEqual(await subjectsOf(service, email), [])
  }
})
