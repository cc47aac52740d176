/** API-key steps of a random life: each calls the service and checks the answer against the model. */
import assert from 'node:assert/strict'
import type { Step } from './account-steps.ts'
import { exchangeOutcome, familyOf, isValid, keysUnder, liveKeys, statusOf } from './model.ts'
import type { ModelKey, ModelToken } from './model.ts'
import { isNarrower, isRestricted, scopesOf, someRestrictions } from './restrictions.ts'
import { addToken, pick } from './world.ts'
import type { World } from './world.ts'

function choose(world: World, a: number, b: number): { token: ModelToken; key: ModelKey } | undefined {
  const token = pick(world.tokens, a)
  const key = token && pick(token.account.keys, b)
  return token && key && { token, key }
}

const exchange: Step = async (world, a, b, c) => {
  const holders = world.users.filter(({ account }) => account !== null && account.keys.length > 0)
  const user = pick(holders, a)
  const account = user?.account ?? undefined
  const key = account && pick(account.keys, b)
  if (user === undefined || account === undefined || key === undefined) return
  const others = world.users.flatMap((each) => each.account?.keys ?? [])
  const secrets = [key.secret, key.previous?.secret ?? key.secret, pick(others, c)?.secret ?? '', 'wrong']
  const secret = secrets[c % secrets.length] ?? ''
  const expected = exchangeOutcome(key, secret, world.nowMs())
  const body = { keyId: key.keyId, keySecret: secret }
  const answer = await world.ask('POST /auth/api/token', expected, { body })
  if (expected !== 200) return
  assert.deepEqual(answer.user, { id: account.id, email: user.email, role: 'USER' })
  addToken(world, answer.token, { user, account, key, signInId: null }, 3600)
}

const create: Step = async (world, a, b, c) => {
  const token = pick(world.tokens, a)
  if (token === undefined) return
  const { account } = token
  const isFull = liveKeys(account, world.nowMs()) >= 25
  const expiresInDays = b % 3 === 0 ? 1 + (b % 10) : undefined
  // Half of the keys have none: the more a key may do, the more a life tries.
  const restrictions = c % 2 === 0 ? (pick(someRestrictions, b) ?? null) : null
  const body = {
    ...(expiresInDays === undefined ? {} : { name: 'Key', expiresInDays }),
    ...(restrictions && { restrictions }),
  }
  const route = 'POST /auth/api-keys'
  const answer = await world.askAs(token, route, isFull ? 'KEY_LIMIT_REACHED' : 201, { body })
  if (isFull || !isValid(token, world.nowMs(), 'keys:write')) return
  const expiresAtMs = expiresInDays === undefined ? null : world.nowMs() + expiresInDays * 86_400_000
  assert.equal(answer.apiKey.expiresAt, expiresAtMs === null ? null : new Date(expiresAtMs).toISOString())
  const key: ModelKey = {
    id: answer.apiKey.id,
    keyId: answer.apiKey.keyId,
    secret: answer.keySecret,
    previous: null,
    expiresAtMs,
    waits: false,
    isRevoked: false,
    restrictions,
  }
  account.keys.unshift(key)
  account.makers.push({ key, by: makerOf(token), atMs: world.nowMs(), isCreation: true })
  account.events.push('key_created')
  const { restrictions: own, effectiveRestrictions: effect = own } = answer.apiKey
  assert.deepEqual(effect?.scopes?.toSorted(), scopesOf(account, key)?.toSorted())
  if (c % 4 === 0) await restrict(world, token, { key: pick(account.keys, a + b) ?? key, c })
}

async function restrict(world: World, token: ModelToken, { key, c }: { key: ModelKey; c: number }): Promise<void> {
  const { account } = token
  const restrictions = pick(someRestrictions, c + account.keys.length) ?? null
  const isRefused = isForeign(token, key) || (token.key !== null && !isNarrower(key.restrictions, restrictions))
  const expected = isRefused ? 'SIGN_IN_REQUIRED' : 200
  const answer = await world.askAs(token, `PATCH /auth/api-keys/${key.id}`, expected, { body: { restrictions } })
  if (isRefused || !isValid(token, world.nowMs(), 'keys:write')) return
  assert.deepEqual(told(answer.apiKey.restrictions), told(restrictions))
  key.restrictions = restrictions
}

/** In one order of the fields. */
const told = (restrictions: object | null | undefined) =>
  Object.fromEntries(
    Object.entries(restrictions ?? {}).map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]),
  )

const makerOf = (token: ModelToken): ModelKey | string => token.key ?? token.signInId ?? ''

const list: Step = async (world, a) => {
  const token = pick(world.tokens, a)
  if (token === undefined) return
  const answer = await world.askAs(token, 'GET /auth/api-keys', 200)
  if (!isValid(token, world.nowMs(), 'keys:read')) return
  const listed = answer.apiKeys.map(({ id, keyId, status }: any) => `${id} ${keyId} ${status}`)
  const known = token.account.keys.map((key) => `${key.id} ${key.keyId} ${statusOf(key, world.nowMs())}`)
  assert.deepEqual(listed, known)
}

const listDescendants: Step = async (world, a, b) => {
  const chosen = choose(world, a, b)
  if (chosen === undefined) return
  const { token, key } = chosen
  const answer = await world.askAs(token, `GET /auth/api-keys/${key.id}/descendants`, 200)
  await world.askAs(token, `GET /auth/api-keys/${key.id}/uses`, 200)
  if (!isValid(token, world.nowMs(), 'keys:read')) return
  const family = familyOf(token.account, [key])
  family.delete(key)
  assert.deepEqual(new Set(answer.apiKeys.map(({ id }: any) => id)), new Set([...family].map(({ id }) => id)))
}

function revokeAll({ token }: { token: ModelToken }, keys: Iterable<ModelKey>): void {
  for (const key of keys) {
    if (key.isRevoked) continue
    key.isRevoked = true
    token.account.events.push('key_revoked')
  }
}

/** Whether the token's key may not act on this key: it is neither that key nor made by it. */
const isForeign = ({ key: by, account }: ModelToken, key: ModelKey): boolean =>
  by !== null && (account.isClaimed || isRestricted(account, by)) && !keysUnder(account, by).has(key)

const revoke: Step = async (world, a, b, c) => {
  const chosen = choose(world, a, b)
  if (chosen === undefined) return
  const { token, key } = chosen
  const wasValid = isValid(token, world.nowMs(), 'keys:write')
  const isWhole = c % 2 === 0
  const query = isWhole ? '?withDescendants=true' : ''
  const expected = isForeign(token, key) ? 'SIGN_IN_REQUIRED' : 200
  const answer = await world.askAs(token, `POST /auth/api-keys/${key.id}/revoke${query}`, expected)
  if (!wasValid || expected !== 200) return
  assert.equal(answer.apiKey.status, 'REVOKED')
  const family = isWhole ? [...familyOf(token.account, [key])] : [key]
  revokeAll(
    chosen,
    family.filter((one) => !isForeign(token, one)),
  )
}

const keep: Step = async (world, a, b) => {
  const chosen = choose(world, a, b)
  if (chosen === undefined) return
  const { token, key } = chosen
  const route = `POST /auth/api-keys/${key.id}/keep`
  if (token.signInId === null) {
    await world.askAs(token, route, 'SIGN_IN_REQUIRED')
    return
  }
  const isWaiting = statusOf(key, world.nowMs()) === 'AWAITS_OWNER'
  const isFull = isWaiting && liveKeys(token.account, world.nowMs()) >= 25
  const answer = await world.askAs(token, route, isFull ? 'KEY_LIMIT_REACHED' : 200)
  if (isFull || !isValid(token, world.nowMs(), 'keys:write')) return
  if (isWaiting) {
    key.waits = false
    key.isKept = true
    token.account.makers.push({ key, by: token.signInId, atMs: world.nowMs() })
    token.account.events.push('key_kept')
  }
  assert.equal(answer.apiKey.status, statusOf(key, world.nowMs()))
}

const rotate: Step = async (world, a, b, c) => {
  const chosen = choose(world, a, b)
  if (chosen === undefined) return
  const { token, key } = chosen
  const graceSeconds = [0, 60, 3600][c % 3] ?? 0
  const isActive = statusOf(key, world.nowMs()) === 'ACTIVE'
  const body = { graceSeconds }
  const route = `POST /auth/api-keys/${key.id}/rotate`
  const isRefused = isForeign(token, key)
  const expected = isActive ? 200 : 'KEY_NOT_ACTIVE'
  const answer = await world.askAs(token, route, isRefused ? 'SIGN_IN_REQUIRED' : expected, { body })
  if (isRefused || !isActive || !isValid(token, world.nowMs(), 'keys:write')) return
  assert.equal(answer.apiKey.keyId, key.keyId)
  key.previous = { secret: key.secret, untilMs: world.nowMs() + graceSeconds * 1000 }
  key.secret = answer.keySecret
  token.account.makers.push({ key, by: makerOf(token), atMs: world.nowMs() })
  token.account.events.push('key_rotated')
}

const reportLeaked: Step = async (world, a, b) => {
  const keys = world.users.flatMap(({ account }) => account?.keys.map((key) => ({ account, key })) ?? [])
  const chosen = pick(keys, a)
  const isWrong = chosen === undefined || b % 3 === 0
  const keySecret = isWrong ? 'pls_wrong' : chosen.key.secret
  const body = { secrets: [{ keySecret, seenAt: 'paste' }] }
  assert.deepEqual(await world.ask('POST /auth/api-keys/leaked', 200, { body }), { ok: true })
  if (isWrong || chosen.key.isRevoked) return
  chosen.key.isRevoked = true
  chosen.account.events.push('key_leaked')
}

const touchAnothers: Step = async (world, a, b) => {
  const token = pick(world.tokens, a)
  const strangers = world.users.filter(({ account }) => account !== token?.account)
  const key = pick(
    strangers.flatMap(({ account }) => account?.keys ?? []),
    b,
  )
  if (token === undefined || key === undefined) return
  await world.askAs(token, `POST /auth/api-keys/${key.id}/revoke`, 'NOT_FOUND')
  await world.askAs(token, `POST /auth/api-keys/${key.id}/rotate`, 'NOT_FOUND')
  await world.askAs(token, `GET /auth/api-keys/${key.id}/descendants`, 'NOT_FOUND')
}

export const keySteps = {
  exchange,
  create,
  list,
  listDescendants,
  revoke,
  keep,
  rotate,
  reportLeaked,
  touchAnothers,
} satisfies Record<string, Step>
