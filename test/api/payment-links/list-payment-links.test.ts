import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { assertDocumented } from '../../support/documented.ts'
import {
  createLink,
  dayBefore,
  holdRates,
  makeLinks,
  readLink,
  listAllIds,
} from '../../support/accounts/payment-links.ts'
import { FARTHEST_CURSOR, invalidCursors, invalidLimits, validCursors, validLimits } from '../../support/http/paging.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens } from '../../support/database/state.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())
beforeEach(() => service.db.query.deleteFrom('exchange_rates').execute())

const list = (token: string, query = '', headers = {}) => service.call(`GET /payment-links${query}`, { token, headers })
const idsOf = (answer: any): string[] => answer.body.paymentLinks.map(({ id }: { id: string }) => id)
const deactivate = (token: string, id: string) => service.call(`POST /payment-links/${id}/deactivate`, { token })

test('the list has exactly the documented fields of each link, newest first, is not cached, and changes nothing', async () => {
  const token = await service.signIn('ana@example.com')
  assert.deepEqual((await list(token)).body, { paymentLinks: [], nextCursor: null })
  const older = await createLink(service, token, { reference: 'INV-1' })
  service.clock.advance(1)
  const newer = await createLink(service, token, { expiresAt: '2099-01-01T00:00:00Z' })
  const answer = await assertNothingHappens(service, () => list(token))
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { paymentLinks: [newer, older], nextCursor: null })
  assertDocumented('GET /payment-links', answer)
  assertUncacheable(answer)
})

test('amounts are in the currency of the call; without a rate they are null, never in another currency', async () => {
  const token = await service.signIn('bob@example.com')
  const made: Record<string, any> = {}
  for (const currency of ['RON', 'EUR', 'GBP'])
    made[currency] = await createLink(service, token, {}, { 'x-currency': currency })
  const amounts = async (currency: string) => {
    const answer = await list(token, '', { 'x-currency': currency })
    assert.equal(answer.status, 200)
    assertDocumented('GET /payment-links', answer)
    return Object.fromEntries(
      answer.body.paymentLinks.map((link: any) => {
        assert.equal(link.exchangeRate === null, link.amount === null || link.original.currency === currency)
        assert.ok(link.amount === null || link.amount.currency === currency)
        return [link.original.currency, link.amount?.value ?? null]
      }),
    )
  }
  assert.deepEqual(await amounts('RON'), { RON: 1050, EUR: null, GBP: null })
  await holdRates(service.db, dayBefore(service.clock, 3), { EUR: '5' })
  assert.deepEqual(await amounts('RON'), { RON: 1050, EUR: 5250, GBP: null })
  assert.deepEqual(await amounts('EUR'), { RON: 210, EUR: 1050, GBP: null })
  assert.deepEqual(await amounts('GBP'), { RON: null, EUR: null, GBP: 1050 })
  await holdRates(service.db, dayBefore(service.clock, 3), { GBP: '6' })
  assert.deepEqual(await amounts('GBP'), { RON: 175, EUR: 875, GBP: 1050 })
  const { body } = await list(token, '', { 'x-currency': 'EUR' })
  for (const link of body.paymentLinks)
    assert.deepEqual(link, await readLink(service, token, link.id, { 'x-currency': 'EUR' }))
})

test('paging returns every link once, in a stable order, also for links of one millisecond', async () => {
  const token = await service.signIn('cia@example.com')
  const made = await makeLinks(service, token, 61)
  const all = await listAllIds(service, token, { limit: '100' })
  assert.deepEqual(all.toSorted(), made.toSorted())
  for (const limit of ['1', '7', '30', '60', '61', '62'])
    assert.deepEqual(await listAllIds(service, token, { limit }), all)
  const { body } = await list(token)
  assert.equal(body.paymentLinks.length, 50, 'the default limit')
  const times = body.paymentLinks.map(({ createdAt }: any) => createdAt)
  assert.deepEqual(times, times.toSorted().toReversed())
  assert.match(body.nextCursor, /^[\w-]+$/)
})

test('every link is in exactly one of the lists by status ACTIVE, INACTIVE and EXPIRED at any time', async () => {
  const token = await service.signIn('dan@example.com')
  const inMs = (milliseconds: number) => ({ expiresAt: new Date(service.clock.now() + milliseconds).toISOString() })
  const forever = await createLink(service, token)
  const short = await createLink(service, token, inMs(1000))
  const long = await createLink(service, token, inMs(5000))
  const ended = await createLink(service, token, inMs(1000))
  await deactivate(token, ended.id)
  const by = async () =>
    Object.fromEntries(
      await Promise.all(
        ['ACTIVE', 'INACTIVE', 'EXPIRED'].map(async (status) => {
          const answer = await list(token, `?status=${status}`)
          for (const link of answer.body.paymentLinks) assert.equal(link.status, status)
          return [status, new Set(idsOf(answer))]
        }),
      ),
    )
  const [f, s, l, e] = [forever.id, short.id, long.id, ended.id]
  assert.deepEqual(await by(), { ACTIVE: new Set([f, s, l]), INACTIVE: new Set([e]), EXPIRED: new Set() })
  service.clock.advance(1000)
  assert.deepEqual(await by(), { ACTIVE: new Set([f, l]), INACTIVE: new Set([e]), EXPIRED: new Set([s]) })
  service.clock.advance(4000)
  assert.deepEqual(await by(), { ACTIVE: new Set([f]), INACTIVE: new Set([e]), EXPIRED: new Set([s, l]) })
})

test('the reference filter returns exact matches, also combined with a status and with paging', async () => {
  const token = await service.signIn('eva@example.com')
  const references = ['INV-1', 'inv-1', 'INV-10', 'INV_1', '%', '100% & more', 'ș', undefined]
  const ids: Record<string, string[]> = {}
  for (const reference of [...references, ...references]) {
    const { id } = await createLink(service, token, reference === undefined ? {} : { reference })
    ;(ids[reference ?? ''] ??= []).unshift(id)
  }
  for (const reference of references) {
    if (reference === undefined) continue
    assert.deepEqual(
      (await listAllIds(service, token, { reference, limit: '1' })).toSorted(),
      ids[reference]?.toSorted(),
      reference,
    )
  }
  assert.deepEqual(await listAllIds(service, token, { reference: 'INV' }), [])
  const [one = '', other = ''] = ids['ș'] ?? []
  await deactivate(token, one)
  assert.deepEqual(await listAllIds(service, token, { reference: 'ș', status: 'ACTIVE' }), [other])
  assert.deepEqual(await listAllIds(service, token, { reference: 'ș', status: 'INACTIVE' }), [one])
})

test('the search finds words of title, reference and id on every page, also combined with a status', async () => {
  const token = await service.signIn('jon@example.com')
  const rent = await createLink(service, token, { title: 'Chirie pentru Ștefan', reference: 'INV-7' })
  const made = await makeLinks(service, token, 60)
  const lunch = await createLink(service, token, { title: 'Lunch', reference: 'inv-7 100%' })
  const search = (text: string, more = {}) => listAllIds(service, token, { search: text, limit: '2', ...more })
  assert.deepEqual(await search('inv-7'), [lunch.id, rent.id])
  assert.deepEqual(await search(' stefan  INV '), [rent.id])
  assert.deepEqual(await search('%'), [lunch.id])
  assert.deepEqual(await search(made[0] ?? ''), [made[0]])
  assert.deepEqual(await search('Link'), made)
  assert.deepEqual(await search('nothing'), [])
  assert.deepEqual(await search('inv-7', { reference: 'INV-7' }), [rent.id])
  await deactivate(token, rent.id)
  assert.deepEqual(await search('inv-7', { status: 'ACTIVE' }), [lunch.id])
  assert.deepEqual(await search('inv-7', { status: 'INACTIVE' }), [rent.id])
  assertDocumented('GET /payment-links', await list(token, '?search=inv-7'))
})

test('no cursor or filter shows another user’s links', async () => {
  const token = await service.signIn('fay@example.com')
  for (let n = 0; n < 3; n++) await createLink(service, token, { title: 'Of Fay', reference: 'SHARED' })
  const stranger = await service.signIn('gil@example.com')
  const mine = await createLink(service, stranger, { reference: 'SHARED' })
  const foreignCursor = (await list(token, '?limit=1')).body.nextCursor
  for (const query of [
    '',
    `?cursor=${foreignCursor}`,
    `?cursor=${FARTHEST_CURSOR}`,
    '?reference=SHARED',
    '?status=ACTIVE',
    '?search=Fay',
    '?search=shared',
    `?limit=100&cursor=${FARTHEST_CURSOR}&status=ACTIVE&reference=SHARED`,
  ]) {
    const answer = await list(stranger, query)
    assert.ok(!answer.text.includes('Of Fay'))
    for (const id of idsOf(answer)) assert.equal(id, mine.id)
  }
  assertError(await list(stranger, '?userId=x'), 'VALIDATION_FAILED')
  assertError(await service.call('GET /payment-links'), 'UNAUTHORIZED')
})

test('a made-up cursor is a valid position, and a malformed one is refused', async () => {
  const token = await service.signIn('hal@example.com')
  await createLink(service, token)
  for (const cursor of validCursors) assert.equal((await list(token, `?cursor=${cursor}`)).status, 200, cursor)
  assertError(
    await list(token, '?cursor=x'),
    'VALIDATION_FAILED',
    '`cursor` must be the `nextCursor` of an earlier page.',
  )
  assertError(await list(token, '?limit=101'), 'VALIDATION_FAILED', '`limit` must be a whole number from 1 to 100.')
  await assertNothingHappens(service, async () => {
    for (const cursor of invalidCursors) assertError(await list(token, `?cursor=${cursor}`), 'VALIDATION_FAILED')
  })
})

test('invalid values of limit, status, reference and search are refused', async () => {
  const token = await service.signIn('ida@example.com')
  for (const limit of validLimits) assert.equal((await list(token, `?limit=${limit}`)).status, 200)
  for (const limit of invalidLimits) assertError(await list(token, `?limit=${limit}`), 'VALIDATION_FAILED')
  for (const status of ['', 'active', 'PAID', 'ACTIVE,EXPIRED', 'ACTIVE&status=EXPIRED', '%00'])
    assertError(await list(token, `?status=${status}`), 'VALIDATION_FAILED')
  for (const name of ['reference', 'search']) {
    for (const text of ['', '%00', '%20', 'a%0Ab', 'x'.repeat(101), `a&${name}=b`])
      assertError(await list(token, `?${name}=${text}`), 'VALIDATION_FAILED')
  }
})
