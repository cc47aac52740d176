/** Payment-link steps of a random life: each calls the service and checks the answer against the model. */
import assert from 'node:assert/strict'
import type { Step } from './account-steps.ts'
import { firstOf, isValid, isHeld, linkStatusOf } from './model.ts'
import type { ModelAccount, ModelLink, ModelToken } from './model.ts'
import { isAmountAllowed, noteAmount } from './restrictions.ts'
import { pick } from './world.ts'
import type { World } from './world.ts'

const DAY_MS = 24 * 3600 * 1000
const currencies = ['RON', 'EUR', 'GBP']

function choose(world: World, a: number, b: number): { token: ModelToken; link: ModelLink } | undefined {
  const token = pick(world.tokens, a)
  const link = token && pick(token.account.links, b)
  return token && link && { token, link }
}

const createLink: Step = async (world, a, b, c) => {
  const token = pick(world.tokens, a)
  if (token === undefined) return
  const { account } = token
  const currency = pick(currencies, c) ?? ''
  const reference = pick([null, 'INV-1', 'INV-2'], b) ?? null
  const expiresAtMs = b % 4 === 0 ? world.nowMs() + 60_000 : null
  const body = {
    amount: 1 + (c % 3),
    title: 'Lunch',
    ...(reference === null ? {} : { reference }),
    ...(expiresAtMs === null ? {} : { expiresAt: new Date(expiresAtMs).toISOString() }),
  }
  const name = b % 2 === 0 ? `key-${b % 3}` : undefined
  // A family of keys, or the person until all tokens are revoked, has its own Idempotency-Keys.
  const scope = token.key === null ? account.version : firstOf(account, token.key).id
  const key = name === undefined ? undefined : `${name} ${scope}`
  const content = JSON.stringify([currency, body])
  const found = key === undefined ? undefined : account.kept.get(key)
  const kept = found && found.atMs > world.nowMs() - DAY_MS ? found : undefined
  const made = { amount: body.amount, currency, nowMs: world.nowMs() }
  const isAllowed = kept !== undefined || isAmountAllowed(token, made)
  const conflict = kept && kept.content !== content ? 'IDEMPOTENCY_CONFLICT' : 201
  const expected = isAllowed ? conflict : 'AMOUNT_NOT_ALLOWED'
  const headers = { 'x-currency': currency, ...(name === undefined ? {} : { 'idempotency-key': name }) }
  const answer = await world.askAs(token, 'POST /payment-links', expected, { body, headers })
  if (!isValid(token, world.nowMs(), 'payment_links:write') || expected !== 201) return
  const text = JSON.stringify(answer)
  if (kept !== undefined) return assert.equal(text, kept.text)
  const { id } = answer.paymentLink
  noteAmount(token, made)
  account.links.unshift({
    id,
    key: token.key,
    isOfOwner: account.isClaimed,
    currency,
    reference,
    expiresAtMs,
    isEnded: false,
  })
  if (key !== undefined) account.kept.set(key, { content, text, atMs: world.nowMs() })
}

/** The expected answer in a currency; no rates are stored. */
const seen = (account: ModelAccount, link: ModelLink, currency: string, nowMs: number) =>
  `${link.id} ${linkStatusOf(account, link, nowMs)} ${link.currency} ${link.currency === currency ? currency : null}`
const told = (link: any) => `${link.id} ${link.status} ${link.original.currency} ${link.amount?.currency ?? null}`

const readLink: Step = async (world, a, b, c) => {
  const chosen = choose(world, a, b)
  if (chosen === undefined) return
  const { token, link } = chosen
  const currency = pick([link.currency, link.currency, ...currencies], c) ?? ''
  const answer = await world.askAs(token, `GET /payment-links/${link.id}`, 200, {
    headers: { 'x-currency': currency },
  })
  if (!isValid(token, world.nowMs(), 'payment_links:read')) return
  assert.equal(told(answer.paymentLink), seen(token.account, link, currency, world.nowMs()))
}

const listLinks: Step = async (world, a, b, c) => {
  const token = pick(world.tokens, a)
  if (token === undefined) return
  const status = pick([undefined, 'ACTIVE', 'INACTIVE', 'EXPIRED'], b)
  const reference = pick([undefined, undefined, 'INV-1'], c)
  const currency = pick(currencies, c) ?? ''
  const search = pick([undefined, 'nv-2', undefined], b)
  const filters = { ...(status && { status }), ...(reference && { reference }), ...(search && { search }) }
  const asked = new URLSearchParams({ limit: '2', ...filters })
  const listed: string[] = []
  for (;;) {
    const answer = await world.askAs(token, `GET /payment-links?${asked.toString()}`, 200, {
      headers: { 'x-currency': currency },
    })
    if (!isValid(token, world.nowMs(), 'payment_links:read')) return
    listed.push(...answer.paymentLinks.map(told))
    if (answer.nextCursor === null) break
    asked.set('cursor', answer.nextCursor)
  }
  const { account } = token
  const known = account.links
    .filter((link) => status === undefined || linkStatusOf(account, link, world.nowMs()) === status)
    .filter((link) => reference === undefined || link.reference === reference)
    .filter((link) => search === undefined || link.reference?.toLowerCase().includes(search))
    .map((link) => seen(account, link, currency, world.nowMs()))
  // The order of links made in one millisecond is undefined.
  assert.deepEqual(listed.toSorted(), known.toSorted())
}

const endLink: Step = async (world, a, b) => {
  const chosen = choose(world, a, b)
  if (chosen === undefined) return
  const { token, link } = chosen
  const answer = await world.askAs(token, `POST /payment-links/${link.id}/deactivate`, 200)
  if (!isValid(token, world.nowMs(), 'payment_links:write')) return
  link.isEnded = true
  assert.equal(told(answer.paymentLink), seen(token.account, link, 'RON', world.nowMs()))
}

const showLink: Step = async (world, a, b) => {
  const account = pick(world.users, a)?.account
  const link = account && pick(account.links, b)
  if (!account || !link) return
  const { paymentLink } = await world.ask(`GET /payment-links/${link.id}/public`, 200)
  assert.equal(paymentLink.status, linkStatusOf(account, link, world.nowMs()))
  // A link that is held back hides its amount.
  assert.equal(paymentLink.amount?.currency ?? null, isHeld(account, link) ? null : link.currency)
}

const touchAnothersLink: Step = async (world, a, b) => {
  const token = pick(world.tokens, a)
  const strangers = world.users.filter(({ account }) => account !== token?.account)
  const link = pick(
    strangers.flatMap(({ account }) => account?.links ?? []),
    b,
  )
  if (token === undefined || link === undefined) return
  await world.askAs(token, `GET /payment-links/${link.id}`, 'NOT_FOUND')
  await world.askAs(token, `POST /payment-links/${link.id}/deactivate`, 'NOT_FOUND')
}

export const paymentLinkSteps = {
  createLink,
  readLink,
  listLinks,
  endLink,
  showLink,
  touchAnothersLink,
} satisfies Record<string, Step>
