import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { disable, enable } from '../../support/accounts/disabled.ts'
import { assertNothingHappens, userOf } from '../../support/database/state.ts'
import { assertError, assertSecurityHeaders, assertUncacheable } from '../../support/http/answers.ts'
import { invalidLimits, validLimits } from '../../support/http/paging.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { sendRaw } from '../../support/wire/raw.ts'

const CHANGES_TOKEN = 'a-token-of-the-tests-0123456789abcdef'
const ROUTE = 'GET /auth/changes'

async function start(t: TestContext): Promise<Service> {
  const service = await startService({ CHANGES_TOKEN })
  t.after(() => service.close())
  return service
}

const ask = (service: Service, query = '') => service.call(`${ROUTE}${query}`, { token: CHANGES_TOKEN })

test('without CHANGES_TOKEN the path does not exist, for any token', async (t) => {
  const service = await startService()
  t.after(() => service.close())
  const tokens = [undefined, '', 'undefined', CHANGES_TOKEN, await service.signIn('ana@example.com')]
  for (const token of tokens) assertError(await service.call(ROUTE, { ...(token && { token }) }), 'NOT_FOUND')
})

test('only a caller with the token gets the feed, and the token works for nothing else', async (t) => {
  const service = await start(t)
  const user = await service.signIn('ana@example.com')
  const right = await assertNothingHappens(service, () => ask(service))
  assert.deepEqual([right.status, right.body], [200, { changes: [], nextCursor: '0' }])
  assertUncacheable(right)
  assertSecurityHeaders(right)
  for (const wrong of [user, CHANGES_TOKEN.slice(1), `${CHANGES_TOKEN}x`, CHANGES_TOKEN.toUpperCase(), '']) {
    for (const scheme of ['Bearer', 'Basic', 'Bearer Bearer']) {
      const answer = await service.call(ROUTE, { headers: { authorization: `${scheme} ${wrong}` } })
      assertError(answer, 'UNAUTHORIZED', 'Unauthorized')
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="changes", error="invalid_token"')
    }
  }
  const lines = [`GET /api/v1/auth/changes?token=${CHANGES_TOKEN} HTTP/1.1`, `Cookie: token=${CHANGES_TOKEN}`]
  assertError(await sendRaw(service.origin, lines), 'UNAUTHORIZED')
  assertError(await service.call('GET /users/me', { token: CHANGES_TOKEN }), 'UNAUTHORIZED')
  assertError(await service.call('GET /auth/check', { token: CHANGES_TOKEN }), 'UNAUTHORIZED')
  assertError(await service.call('POST /auth/changes', { token: CHANGES_TOKEN }), 'METHOD_NOT_ALLOWED')
})

test('it has the last change of each account, ids and times only, in the order of the changes', async (t) => {
  const service = await start(t)
  const [ana, bob, cia] = ['ana@example.com', 'bob@example.com', 'cia@example.com']
  const tokens = [await service.signIn(ana), await service.signIn(bob), await service.signIn(cia)]
  const ids = [await userOf(service.db, ana), await userOf(service.db, bob), await userOf(service.db, cia)]
  const [anaId, bobId, ciaId] = ids.map(({ id }) => id)
  const now = () => new Date(service.clock.now()).toISOString()
  await service.call('DELETE /users/me', { token: tokens[0] ?? '' })
  const deletedAt = now()
  service.clock.advance(1000)
  await disable(service, bob)
  await disable(service, cia)
  const disabledAt = now()
  const { text, body } = await ask(service)
  assert.deepEqual(body.changes, [
    { userId: anaId, kind: 'deleted', at: deletedAt },
    { userId: bobId, kind: 'disabled', at: disabledAt },
    { userId: ciaId, kind: 'disabled', at: disabledAt },
  ])
  assert.doesNotMatch(text, /example\.com/)
  assert.deepEqual((await ask(service, `?cursor=${body.nextCursor}`)).body, { ...body, changes: [] })

  service.clock.advance(1000)
  await enable(service, bob)
  const later = await ask(service, `?cursor=${body.nextCursor}`)
  assert.deepEqual(later.body.changes, [{ userId: bobId, kind: 'enabled', at: now() }])
  const whole = await ask(service)
  assert.deepEqual(
    whole.body.changes.map(({ userId }: { userId: string }) => userId),
    [anaId, ciaId, bobId],
  )
  // A new account with the same address gets a new id.
  await service.signIn(ana)
  assert.deepEqual((await ask(service)).body, whole.body)
})

test('nothing else is a change: neither a claim, nor a repeated or refused command', async (t) => {
  const service = await start(t)
  const { token } = await service.signUp('ana@example.com')
  await service.call('DELETE /users/me', { token })
  await assert.rejects(enable(service, 'ana@example.com'))
  const owner = await service.signIn('ana@example.com')
  await service.call('POST /auth/tokens/revoke', { token: owner })
  assert.deepEqual((await ask(service)).body.changes, [])
  await disable(service, 'ana@example.com')
  const { body } = await ask(service)
  await assert.rejects(disable(service, 'ana@example.com'))
  assert.deepEqual((await ask(service, `?cursor=${body.nextCursor}`)).body.changes, [])
})

test('it is read by page, and refuses malformed cursors, limits and other query parameters', async (t) => {
  const service = await start(t)
  const users: string[] = []
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    users.push((await service.signUp(`${name}@example.com`)).user.id)
    await disable(service, `${name}@example.com`)
  }
  const read: string[] = []
  for (let cursor = '0'; ;) {
    const { body } = await ask(service, `?cursor=${cursor}&limit=2`)
    assert.ok(body.changes.length <= 2)
    if (body.changes.length === 0) break
    read.push(...body.changes.map(({ userId }: { userId: string }) => userId))
    cursor = body.nextCursor
  }
  assert.deepEqual(read, users)
  for (const limit of validLimits) assert.equal((await ask(service, `?limit=${limit}`)).status, 200, limit)
  for (const limit of invalidLimits) assertError(await ask(service, `?limit=${limit}`), 'VALIDATION_FAILED')
  for (const cursor of ['', '-1', '1.5', '1_x', '9'.repeat(16), '1&cursor=2', '%00', 'null'])
    assertError(await ask(service, `?cursor=${cursor}`), 'VALIDATION_FAILED')
  assertError(await ask(service, '?after=1'), 'VALIDATION_FAILED')
})

test('a cursor beyond every position is refused: it would hide the changes to come', async (t) => {
  const service = await start(t)
  const now = service.clock.now()
  for (const cursor of [now + 1, '9'.repeat(15)]) {
    const message = '`cursor` must be the `nextCursor` of an earlier page.'
    assertError(await ask(service, `?cursor=${cursor}`), 'VALIDATION_FAILED', message)
  }
  // After a restore, cursors of before are beyond the counter, but not beyond the time.
  assert.equal((await ask(service, `?cursor=${now}`)).status, 200)
  await service.signUp('ana@example.com')
  await disable(service, 'ana@example.com')
  await enable(service, 'ana@example.com')
  const { nextCursor } = (await ask(service)).body
  assert.ok(Number(nextCursor) > now, 'two changes in one millisecond')
  assert.equal((await ask(service, `?cursor=${nextCursor}`)).status, 200)
  assertError(await ask(service, `?cursor=${Number(nextCursor) + 1}`), 'VALIDATION_FAILED')
})
