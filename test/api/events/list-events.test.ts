import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readCaller } from '../../../src/domain/sign-in/authority.ts'
import type { Caller } from '../../../src/domain/sign-in/authority.ts'
import { alertTypes, eventKinds, eventTypes, hiddenUntilClaimed } from '../../../src/domain/events/security-events.ts'
import { insertEvent } from '../../../src/domain/events/event-store.ts'
import type { SecurityEvent } from '../../../src/domain/events/event-store.ts'
import { systemRandom } from '../../../src/lib/random.ts'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { createKey, tokenOf } from '../../support/accounts/keys.ts'
import { FARTHEST_CURSOR, invalidCursors, invalidLimits, validCursors, validLimits } from '../../support/http/paging.ts'
import { read } from '../../support/accounts/tokens.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { signUpWithForeignAddress } from '../../support/accounts/squatting.ts'
import { assertNothingHappens, userOf } from '../../support/database/state.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const ask = (token: string, query = '') => service.call(`GET /auth/events${query}`, { token })

/** The ids of all events, page by page. */
async function pagesOf(token: string, limit: number, kind?: string): Promise<string[][]> {
  const pages: string[][] = []
  const filter = kind === undefined ? '' : `&kind=${kind}`
  for (let query = `?limit=${limit}${filter}`; ;) {
    const { status, text, body } = await ask(token, query)
    assert.equal(status, 200, text)
    pages.push(body.events.map(({ id }: { id: string }) => id))
    if (body.nextCursor === null) return pages
    query = `?limit=${limit}${filter}&cursor=${body.nextCursor}`
  }
}

/** Adds events to the account of an address. */
async function addEvents(email: string, events: readonly Partial<SecurityEvent>[]): Promise<void> {
  const { id: user_id } = await userOf(service.db, email)
  const usual = {
    type: 'signed_in',
    at_ms: 1,
    client: null,
    api_key_id: null,
    by_api_key_id: null,
    sign_in_id: null,
    by_sign_in_id: null,
    detail: null,
    browser: null,
  }
  await service.db.transaction(async (trx) => {
    for (const event of events)
      await insertEvent(trx, { id: systemRandom.uuid(), user_id, ...usual, times: 1, ...event })
  })
}

test('the list has exactly the documented fields, newest first, is not cached, and changes nothing', async () => {
  const token = await service.signIn('ana@example.com')
  const signedInAt = new Date(service.clock.now()).toISOString()
  service.clock.advance(1000)
  const key = await createKey(service, token)
  const ofKey = await tokenOf(service, key)
  service.clock.advance(1000)
  const made = await createKey(service, ofKey)
  const answer = await assertNothingHappens(service, () => ask(token))
  assert.equal(answer.status, 200)
  assertUncacheable(answer)
  const ids = answer.body.events.map(({ id }: { id: string }) => id)
  const at = (agoMs: number) => new Date(service.clock.now() - agoMs).toISOString()
  const usual = {
    client: '127.0.0.1',
    browser: null,
    apiKeyId: null,
    byApiKeyId: null,
    signInId: null,
    bySignInId: null,
    detail: null,
    times: 1,
  }
  const signInId = read(token).claims['sid']
  const created = { ...usual, type: 'key_created' }
  assert.deepEqual(answer.body, {
    events: [
      { ...created, id: ids[0], at: at(0), apiKeyId: made.apiKey.id, byApiKeyId: key.apiKey.id },
      { ...created, id: ids[1], at: at(1000), apiKeyId: key.apiKey.id, bySignInId: signInId },
      { ...usual, id: ids[2], type: 'signed_in', at: signedInAt, signInId, detail: 'magic_link' },
      { ...usual, id: ids[3], type: 'account_created', at: signedInAt },
    ],
    nextCursor: null,
  })
})

test('an event names the browser of its request from a closed list, and never contains the header', async () => {
  const token = await service.signIn('lea@example.com')
  const create = (agent: string) =>
    service.call('POST /auth/api-keys', { token, headers: { 'user-agent': agent }, body: {} })
  const words = {
    'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0': 'Firefox on Linux',
    'Your account is locked, call +40700000000/1.0 (Windows NT 10.0) ': null,
    'curl/8.14.1': null,
  }
  for (const agent of Object.keys(words)) assert.equal((await create(agent)).status, 201)
  const { text, body } = await ask(token, '?limit=3')
  assert.deepEqual(
    body.events.map(({ browser }: { browser: string | null }) => browser),
    Object.values(words).toReversed(),
  )
  assert.doesNotMatch(text, /locked|curl|Mozilla/)
})

test('paging returns every event once, in a stable order, also for many events of one millisecond', async () => {
  const token = await service.signIn('bob@example.com')
  await addEvents(
    'bob@example.com',
    Array.from({ length: 60 }, (_, n) => ({ at_ms: 1000 + (n % 3) })),
  )
  const [all = []] = await pagesOf(token, 100)
  assert.equal(all.length, 62)
  for (const limit of [1, 7, 31, 61, 62, 63]) {
    const pages = await pagesOf(token, limit)
    assert.deepEqual(pages.flat(), all)
    assert.equal(pages.length, Math.ceil(62 / limit), 'no page is empty')
  }
  const { body } = await ask(token)
  assert.equal(body.events.length, 50, 'the default limit')
  const times = body.events.map(({ at }: { at: string }) => at)
  assert.deepEqual(times, times.toSorted().toReversed())
})

test('events that happen between two pages do not shift older ones', async () => {
  const token = await service.signIn('cia@example.com')
  await addEvents(
    'cia@example.com',
    Array.from({ length: 4 }, (_, n) => ({ at_ms: 1000 + n })),
  )
  const [all = []] = await pagesOf(token, 100)
  const { body: first } = await ask(token, '?limit=3')
  await createKey(service, token)
  const { body: second } = await ask(token, `?limit=100&cursor=${first.nextCursor}`)
  const ids = [...first.events, ...second.events].map(({ id }: { id: string }) => id)
  assert.deepEqual(ids, all)
})

test('an account whose events were all swept has an empty page', async () => {
  const { token } = await service.signUp('dan@example.com')
  await service.db.query.deleteFrom('security_events').where('type', '=', 'account_created').execute()
  assert.deepEqual((await ask(token)).body, { events: [], nextCursor: null })
})

test('a kind lists its events on every page and no others', async () => {
  const email = 'lea@example.com'
  const token = await service.signIn(email)
  const types = Object.keys(eventTypes)
  const start = service.clock.now()
  await addEvents(
    email,
    Array.from({ length: 4 * types.length }, (_, n) => ({ type: types[n % types.length] ?? '', at_ms: start + n })),
  )
  const [first = [], ...rest] = await pagesOf(token, 100)
  const all = [first, ...rest].flat()
  const ofKinds: string[][] = []
  for (const kind of eventKinds) {
    const pages = await pagesOf(token, 3, kind)
    for (const page of pages.slice(0, -1)) assert.equal(page.length, 3, 'only the last page is short')
    assert.ok(pages.length > 1)
    ofKinds.push(pages.flat())
  }
  const alerts = ofKinds.pop()
  assert.deepEqual(ofKinds.flat().toSorted(), all.toSorted(), 'each event has one kind')
  for (const [index, kind] of eventKinds.slice(0, -1).entries()) {
    assert.deepEqual(
      ofKinds[index],
      all.filter((id) => ofKinds[index]?.includes(id)),
      `${kind} is in order`,
    )
  }
  const { body } = await ask(token, '?kind=alert&limit=100')
  assert.deepEqual(
    alerts,
    body.events.map(({ id }: { id: string }) => id),
  )
  assert.deepEqual(new Set(body.events.map(({ type }: { type: string }) => type)), new Set(alertTypes))
  for (const kind of ['', 'ALERT', 'signed_in', 'alert,account', 'alert&kind=account', '%00'])
    assertError(await ask(token, `?kind=${kind}`), 'VALIDATION_FAILED')
})

test('until the address is proven, no kind lists an event that is hidden', async () => {
  const squatter = await signUpWithForeignAddress(service, 'mia@example.com')
  const seen = []
  for (const kind of eventKinds) seen.push(...(await ask(squatter, `?limit=100&kind=${kind}`)).body.events)
  assert.deepEqual(
    seen.map(({ type }) => type),
    ['account_created'],
  )
})

test('until the address is proven, the list hides events about the mailbox and about other people’s attempts', async () => {
  const email = 'ida@example.com'
  const squatter = await signUpWithForeignAddress(service, email)
  const types = async (token: string) =>
    (await ask(token, '?limit=100')).body.events.map(({ type }: { type: string }) => type)
  assert.deepEqual(await types(squatter), ['account_created'])
  for (const page of await pagesOf(squatter, 1)) assert.equal(page.length, 1)

  const seen = await types(await service.signIn(email))
  const usual = ['account_claimed', 'account_created', 'signed_in']
  assert.deepEqual([...new Set(seen)].toSorted(), [...usual, ...hiddenUntilClaimed].toSorted())
})

test('hidden events on an unclaimed account are skipped a page at a time and never hide visible ones', async () => {
  const email = 'kim@example.com'
  const { token } = await service.signUp(email)
  const nowMs = service.clock.now()
  await addEvents(
    email,
    Array.from({ length: 1200 }, (_, n) => ({ type: 'limit_hit', at_ms: nowMs + n + 1 })),
  )
  const pages = await pagesOf(token, 50)
  assert.deepEqual(
    pages.map((page) => page.length),
    [0, 0, 1],
  )
})

test('a read that races with the owner’s first sign-in is refused, because the events now belong to the owner', async () => {
  const { user, token } = await service.signUp('jon@example.com')
  const caller = { userId: user.id, tokenVersion: 0 } as Caller
  assert.equal((await readCaller(service.db, caller)).claimed_at_ms, null)
  await service.signIn('jon@example.com')
  await assert.rejects(readCaller(service.db, caller), { code: 'UNAUTHORIZED' })
  assertError(await ask(token), 'UNAUTHORIZED')
})

test('no cursor shows another user’s events', async () => {
  const token = await service.signIn('eva@example.com')
  await addEvents('eva@example.com', [{ at_ms: 5, detail: 'of Eva' }])
  const stranger = await service.signIn('fay@example.com')
  const foreignCursor = (await ask(token, '?limit=1')).body.nextCursor
  for (const query of [
    '',
    `?cursor=${foreignCursor}`,
    `?cursor=${FARTHEST_CURSOR}`,
    `?limit=100&cursor=${FARTHEST_CURSOR}`,
  ]) {
    const { text, body } = await ask(stranger, query)
    assert.ok(!text.includes('of Eva'))
    const mine = new Set((await ask(stranger)).body.events.map(({ id }: { id: string }) => id))
    for (const { id } of body.events) assert.ok(mine.has(id))
  }
  assertError(await ask(stranger, '?userId=x'), 'VALIDATION_FAILED')
  assertError(await service.call('GET /auth/events'), 'UNAUTHORIZED')
})

test('a made-up cursor is a valid position, and a malformed one is refused', async () => {
  const token = await service.signIn('gil@example.com')
  for (const cursor of validCursors) assert.equal((await ask(token, `?cursor=${cursor}`)).status, 200, cursor)
  for (const cursor of invalidCursors) assertError(await ask(token, `?cursor=${cursor}`), 'VALIDATION_FAILED')
})

test('limit must be a whole number from 1 to 100', async () => {
  const token = await service.signIn('hal@example.com')
  for (const limit of validLimits) assert.equal((await ask(token, `?limit=${limit}`)).status, 200)
  for (const limit of invalidLimits) assertError(await ask(token, `?limit=${limit}`), 'VALIDATION_FAILED')
})
