/** The amounts for which restricted keys may create payment links: per link, and per day over a key and its descendants. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { upkeep } from '../../../src/domain/upkeep.ts'
import { createKey, tokenOf, updateKey } from '../../support/accounts/keys.ts'
import { createLink } from '../../support/accounts/payment-links.ts'
import { assertNothingHappens, userOf } from '../../support/database/state.ts'
import { assertDocumented } from '../../support/documented.ts'
import { assertError } from '../../support/http/answers.ts'
import { startService } from '../../support/service.ts'
import type { Answer, Service } from '../../support/service.ts'

const DAY_MS = 24 * 3600 * 1000
const ROUTE = 'POST /payment-links'
let service: Service
let owner: string
let email: string
let accounts = 0

before(async () => {
  service = await startService({ PAYMENT_LINK_LIMIT: '20' })
})
after(() => service.close())
beforeEach(async () => {
  email = `amounts-${accounts++}@example.com`
  owner = await service.signIn(email)
})

/** A key's token; `by`: the token that creates the key. */
const tokenWith = async (restrictions?: object, by = owner) =>
  tokenOf(service, await createKey(service, by, restrictions && { restrictions }))
const ask = (token: string, amount: number, currency = 'EUR', headers = {}): Promise<Answer> =>
  service.call(ROUTE, { token, body: { amount, title: 'Tea' }, headers: { 'x-currency': currency, ...headers } })

async function assertCreated(token: string, amount: number, currency = 'EUR'): Promise<void> {
  const answer = await ask(token, amount, currency)
  assert.equal(answer.status, 201, answer.text)
}

async function assertRefused(token: string, [amount, currency = 'EUR']: [number, string?], message: RegExp) {
  const answer = await ask(token, amount, currency)
  assertDocumented(ROUTE, answer)
  assertError(answer, 'AMOUNT_NOT_ALLOWED', message)
}

const amountsOf = async () => {
  const { id } = await userOf(service.db, email)
  const rows = await service.db.query.selectFrom('key_amounts').selectAll().where('user_id', '=', id).execute()
  return rows.map(({ day, currency, amount }) => `${day} ${currency} ${amount}`).toSorted()
}
const today = () => new Date(service.clock.now()).toISOString().slice(0, 10)

test('a link may have the amount of the bound and not more, and the refusal says the bound and writes nothing', async () => {
  const token = await tokenWith({ maxAmount: { EUR: 1000, RON: 1 } })
  await assertCreated(token, 1000)
  await assertCreated(token, 1000)
  await assertNothingHappens(service, async () => {
    await assertRefused(token, [1001], /at most 10\.00 EUR each/)
    await assertRefused(token, [2, 'RON'], /at most 0\.01 RON each/)
  })
})

test('a currency that a limit does not name is refused, and so is one that the currencies do not', async () => {
  const named = 'only in EUR: set `X-Currency`'
  for (const restrictions of [{ currencies: ['EUR'] }, { maxAmount: { EUR: 9 } }, { dailyAmount: { EUR: 9 } }]) {
    const token = await tokenWith(restrictions)
    await assertRefused(token, [1, 'GBP'], new RegExp(RegExp.escape(named)))
    assertError(await service.call(ROUTE, { token, body: { amount: 1, title: 'Tea' } }), 'AMOUNT_NOT_ALLOWED')
    await assertCreated(token, 1)
  }
  const none = await tokenWith({ maxAmount: { EUR: 9 }, dailyAmount: { GBP: 9 } })
  for (const currency of ['EUR', 'GBP', 'RON']) await assertRefused(none, [1, currency], /in no currency/)
})

test('the limit of a day is used up exactly, by currency, and the refusal says what is left', async () => {
  const token = await tokenWith({ dailyAmount: { EUR: 100, GBP: 5 } })
  await assertCreated(token, 60)
  await assertRefused(token, [41], /1\.00 EUR a day \(UTC\).*0\.40 EUR is left today/)
  await assertCreated(token, 5, 'GBP')
  await assertCreated(token, 40)
  await assertRefused(token, [1], /0\.00 EUR is left/)
  assert.deepEqual(await amountsOf(), [`${today()} EUR 100`, `${today()} GBP 5`])
})

test('the day begins at midnight UTC, and the amounts of earlier days are deleted', async () => {
  const key = await createKey(service, owner, { restrictions: { dailyAmount: { EUR: 100 } } })
  service.clock.advance(DAY_MS - (service.clock.now() % DAY_MS) - 1)
  await assertCreated(await tokenOf(service, key), 100)
  await assertRefused(await tokenOf(service, key), [1], /left/)
  const yesterday = today()
  service.clock.advance(1)
  await assertCreated(await tokenOf(service, key), 100)
  await assertRefused(await tokenOf(service, key), [1], /left/)
  assert.deepEqual(await amountsOf(), [`${yesterday} EUR 100`, `${today()} EUR 100`])
  service.clock.advance(DAY_MS)
  await upkeep(service.deps)
  assert.equal(
    (await amountsOf()).some((made) => made.startsWith(yesterday)),
    false,
  )
  await assertCreated(await tokenOf(service, key), 100)
})

test('a key and all its descendants share its limit, and each of them may have a smaller one', async () => {
  const parent = await tokenWith({ dailyAmount: { EUR: 100 } })
  const child = await tokenWith({ dailyAmount: { EUR: 30 } }, parent)
  const sibling = await tokenWith(undefined, parent)
  const grandchild = await tokenWith({ dailyAmount: { EUR: 1000 } }, child)
  await assertCreated(grandchild, 20)
  await assertRefused(child, [11], /0\.30 EUR a day.*0\.10 EUR is left/)
  await assertCreated(child, 10)
  await assertCreated(sibling, 70)
  for (const token of [parent, child, sibling, grandchild]) await assertRefused(token, [1], /0\.00 EUR is left/)
  await assertCreated(await tokenWith({ dailyAmount: { EUR: 100 } }), 100)
  await assertCreated(owner, 100)
})

test('deactivating a link gives nothing back', async () => {
  const token = await tokenWith({ dailyAmount: { EUR: 100 } })
  const { id } = await createLink(service, token, { amount: 100 }, { 'x-currency': 'EUR' })
  assert.equal((await service.call(`POST /payment-links/${id}/deactivate`, { token })).status, 200)
  await assertRefused(token, [1], /0\.00 EUR is left/)
})

test('a repeat with the same Idempotency-Key counts once, also when nothing is left, and a refusal is not kept', async () => {
  const key = await createKey(service, owner, { restrictions: { dailyAmount: { EUR: 100 } } })
  const token = await tokenOf(service, key)
  const once = { 'idempotency-key': 'INV-1' }
  const first = await ask(token, 100, 'EUR', once)
  const again = await ask(token, 100, 'EUR', once)
  assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(await amountsOf(), [`${today()} EUR 100`])
  const refused = { 'idempotency-key': 'INV-2' }
  assertError(await ask(token, 7, 'EUR', refused), 'AMOUNT_NOT_ALLOWED')
  await updateKey(service, owner, key, { restrictions: { dailyAmount: { EUR: 107 } } })
  assert.equal((await ask(token, 7, 'EUR', refused)).headers.get('idempotent-replayed'), null)
  assert.deepEqual(await amountsOf(), [`${today()} EUR 107`])
})

test('a limit set later in the day counts what the key and its descendants made before', async () => {
  const parent = await createKey(service, owner)
  const token = await tokenOf(service, parent)
  const child = await tokenWith(undefined, token)
  await assertCreated(token, 60)
  await assertCreated(child, 30)
  await updateKey(service, owner, parent, { restrictions: { dailyAmount: { EUR: 100 } } })
  await assertRefused(child, [11], /0\.10 EUR is left/)
  await assertCreated(child, 10)
  await updateKey(service, owner, parent, { restrictions: { dailyAmount: { EUR: 50 } } })
  await assertRefused(token, [1], /0\.00 EUR is left/)
  await updateKey(service, owner, parent, { restrictions: { dailyAmount: { EUR: 101 } } })
  await assertCreated(token, 1)
})

test('a link that is refused for another reason counts nothing', async () => {
  const token = await tokenWith({ dailyAmount: { EUR: 100 } })
  for (let n = 0; n < 20; n++) await assertCreated(token, 1)
  await assertNothingHappens(service, async () => {
    assertError(await ask(token, 1), 'PAYMENT_LINK_LIMIT_REACHED')
    const body = { amount: 1, title: 'Tea', expiresAt: '2020-01-01T00:00:00Z' }
    assertError(await service.call(ROUTE, { token, body, headers: { 'x-currency': 'EUR' } }), 'VALIDATION_FAILED')
  })
  assert.deepEqual(await amountsOf(), [`${today()} EUR 20`])
})
