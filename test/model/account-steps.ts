/** Account steps of a random life: each calls the service and checks the answer against the model. */
import assert from 'node:assert/strict'
import type { ReceivedMail } from '../support/mail/smtp.ts'
import { read } from '../support/accounts/tokens.ts'
import { claim, isRecentPerson, isValid, needsOnboarding, noteRename, sayNotMe, statusOf } from './model.ts'
import { scopesOf } from './restrictions.ts'
import type { ModelAccount, ModelButton, ModelUser } from './model.ts'
import { changeAndUndo } from './address-steps.ts'
import { addToken, pick, signupNoticesIn, tokenIn } from './world.ts'
import type { World } from './world.ts'

const DAY_MS = 24 * 3600 * 1000
const WEEK_SECONDS = 7 * 24 * 3600

export function newAccount(id: string, isClaimed: boolean, name: string | null = null): ModelAccount {
  return {
    id,
    name,
    version: 0,
    isClaimed,
    keys: [],
    makers: [],
    events: ['account_created'],
    signIns: [],
    connections: [],
    renames: [],
    google: null,
    links: [],
    made: [],
    kept: new Map(),
  }
}

export type Step = (world: World, a: number, b: number, c: number) => Promise<void>

const signUp: Step = async (world, a, b) => {
  const user = pick(world.users, a) as ModelUser
  const name = b % 2 === 0 ? null : 'Program'
  const body = { email: user.email, ...(name === null ? {} : { name }) }
  if (user.account !== null) {
    await world.ask('POST /auth/api/signup', 'EMAIL_TAKEN', { body })
    return
  }
  let made: any
  const mails = await world.mailsAfter(user.email, async () => {
    made = await world.ask('POST /auth/api/signup', 201, { body })
  })
  const account = newAccount(made.user.id, false, name)
  user.account = account
  noteSignupNotice(world, user, account, mails)
  const { id, keyId } = made.apiKey
  const secret: string = made.keySecret
  const key = { id, keyId, secret, previous: null, expiresAtMs: null, waits: false, isRevoked: false }
  account.keys.push(key)
  addToken(world, made.token, { user, account, key, signInId: null }, 3600)
}

/** Checks the notice of a signup to the owner of its address; during a pause it is held back. */
export function noteSignupNotice(
  world: World,
  user: ModelUser,
  account: ModelAccount,
  mails: readonly ReceivedMail[],
): void {
  const news = signupNoticesIn(mails)
  noteMail(world, user, news)
  if (news === 0) user.heldNotice = account
}

// During a pause one mail a day is sent, otherwise every one.
function noteMail(world: World, user: ModelUser, mails: number): void {
  const isHeldBack = user.pausedMailAtMs !== null && user.pausedMailAtMs + DAY_MS > world.nowMs()
  assert.equal(mails, isHeldBack ? 0 : 1, `mails to ${user.email}`)
  if (user.pausedMailAtMs !== null && !isHeldBack) user.pausedMailAtMs = world.nowMs()
}

/** Advances the clock; a notice held back by a pause is the next day's mail. */
export async function passTime(world: World, milliseconds: number): Promise<void> {
  world.service.clock.advance(milliseconds)
  for (const user of world.users) {
    const { heldNotice, pausedMailAtMs } = user
    if (heldNotice === null || (pausedMailAtMs ?? 0) + DAY_MS > world.nowMs()) continue
    const isDue = user.account === heldNotice && !heldNotice.isClaimed
    const mails = await world.mailsAfter(user.email, async () => world.service.deps.mailer.wake())
    assert.equal(signupNoticesIn(mails), isDue ? 1 : 0, `held mails to ${user.email}`)
    if (isDue) user.pausedMailAtMs = world.nowMs()
    user.heldNotice = null
  }
}

const signIn: Step = async (world, a, b) => {
  const user = pick(world.users, a) as ModelUser
  const mails = await world.mailsAfter(user.email, () =>
    world.ask('POST /auth/request', 200, { body: { email: user.email } }),
  )
  const isPaused = user.pausedMailAtMs !== null
  const fresh = mails.filter((mail) => mail.message.text?.includes('/auth/verify?'))
  noteMail(world, user, fresh.length)
  const [mail] = fresh
  if (mail === undefined) return
  const token = tokenIn(mail, '/auth/verify')
  const expiresAtMs = world.nowMs() + WEEK_SECONDS * 1000
  const notMe = tokenIn(mail, '/not-me')
  const button: ModelButton = { token: notMe, user, signInId: null, isUsed: false, expiresAtMs }
  world.buttons.push(button)
  if (isPaused) world.resumeButtons.push({ token: tokenIn(mail, '/resume-mail'), user, expiresAtMs })
  if (b % 4 === 0) {
    await world.ask('POST /auth/links/not-me', 200, { body: { token: button.token } })
    sayNotMe(button, world.nowMs())
    await world.ask(`GET /auth/verify?token=${token}`, 'LINK_INVALID')
    return
  }
  const seen = await world.ask('POST /auth/links/inspect', 200, { body: { token } })
  assert.match(seen.email, /^\w\*{3}@example\.com$/)
  const verified = await world.ask(`GET /auth/verify?token=${token}`, 200)
  const { sub, sid = '' } = read(verified.token).claims as Record<string, string>
  if (user.account === null) user.account = newAccount(sub ?? '', true)
  else if (!user.account.isClaimed) claim(user.account)
  const { account } = user
  assert.equal(sub, account.id)
  account.events.push('signed_in')
  button.signInId = sid
  noteSignIn(world, account, { id: sid, method: 'magic_link' })
  addToken(world, verified.token, { user, account, key: null, signInId: sid }, WEEK_SECONDS)
  assert.equal(verified.needsOnboarding, needsOnboarding(account, world.nowMs()))
  world.spentLinks.push(token)
}

export function noteSignIn(
  world: World,
  account: ModelAccount,
  begun: Pick<ModelAccount['signIns'][number], 'id' | 'method'>,
): void {
  account.signIns.push({ ...begun, version: account.version, atMs: world.nowMs(), isEnded: false })
}

const useSpentLink: Step = async (world, a) => {
  const token = pick(world.spentLinks, a) ?? 'unknown'
  await world.ask(`GET /auth/verify?token=${token}`, 'LINK_INVALID')
  await world.ask('POST /auth/links/inspect', 'LINK_INVALID', { body: { token } })
}

const pressNotMe: Step = async (world, a) => {
  const button = pick(world.buttons, a)
  if (button === undefined) return
  const isOver = button.expiresAtMs <= world.nowMs()
  const expected = isOver ? 'LINK_INVALID' : 200
  const body = { token: button.token }
  const seen = await world.ask('POST /auth/links/not-me/inspect', expected, { body })
  await world.ask('POST /auth/links/not-me', expected, { body })
  if (isOver) return
  assert.equal(seen.usedAt !== null, button.isUsed)
  sayNotMe(button, world.nowMs())
}

const pressResume: Step = async (world, a) => {
  const [button] = world.resumeButtons.splice(a % Math.max(1, world.resumeButtons.length), 1)
  if (button === undefined) return
  const isOver = button.expiresAtMs <= world.nowMs()
  const expected = isOver ? 'LINK_INVALID' : 200
  await world.mailsAfter(button.user.email, () =>
    world.ask('POST /auth/mail/resume', expected, { body: { token: button.token } }),
  )
  if (isOver) return
  button.user.heldNotice = null
  if (button.user.pausedMailAtMs !== null) button.user.account?.events.push('mail_resumed')
  button.user.pausedMailAtMs = null
}

const lookAtMe: Step = async (world, a) => {
  const token = pick(world.tokens, a)
  if (token === undefined) return
  const answer = await world.askAs(token, 'GET /users/me', 200)
  const { status, headers } = await world.service.call('GET /auth/check', { token: token.text })
  const isScoped = token.key !== null && scopesOf(token.account, token.key) !== undefined
  assert.equal(status, isValid(token, world.nowMs()) ? (isScoped ? 403 : 200) : 401)
  if (status !== 200) return
  const { id, name } = token.account
  assert.deepEqual([headers.get('x-user-id'), headers.get('x-api-key-id')], [id, token.key?.id ?? null])
  assert.equal(headers.get('x-account-claimed'), String(token.account.isClaimed))
  const { createdAt, ...rest } = answer.user
  assert.match(createdAt, /^\d{4}-/)
  const isUnfinished = needsOnboarding(token.account, world.nowMs())
  assert.deepEqual(rest, { id, email: token.user.email, role: 'USER', name, needsOnboarding: isUnfinished })
}

const rename: Step = async (world, a, b) => {
  const token = pick(world.tokens, a)
  if (token === undefined) return
  const name = `Name ${b}`
  const answer = await world.askAs(token, 'PATCH /users/me', 200, { body: { name } })
  if (!isValid(token, world.nowMs(), 'account:write')) return
  noteRename(token, name, world.nowMs())
  assert.equal(answer.user.name, name)
}

const signOutEverywhere: Step = async (world, a, b) => {
  const token = pick(world.tokens, a)
  if (token === undefined) return
  if (b % 3 === 0) return changeAndUndo(world, token, b)
  const wasValid = isValid(token, world.nowMs(), 'account:write')
  const isRefused = token.key !== null && token.account.isClaimed
  await world.askAs(token, 'POST /auth/tokens/revoke', isRefused ? 'SIGN_IN_REQUIRED' : 200)
  if (!wasValid || isRefused) return
  token.account.version += 1
  token.account.events.push('tokens_revoked')
}

const leave: Step = async (world, a) => {
  const token = pick(world.tokens, a)
  if (token === undefined) return
  const isRecent = isRecentPerson(token, world.nowMs())
  const wasValid = isValid(token, world.nowMs(), 'account:write')
  await world.askAs(token, 'DELETE /users/me', isRecent ? 200 : 'SIGN_IN_REQUIRED')
  if (!isRecent || !wasValid) return
  token.user.account = null
  token.user.pausedMailAtMs = null
  token.user.heldNotice = null
  // Deleting the account deleted their buttons.
  for (const list of [world.buttons, world.resumeButtons]) {
    for (let index = list.length - 1; index >= 0; index--) if (list[index]?.user === token.user) list.splice(index, 1)
  }
}

const exportAll: Step = async (world, a) => {
  const token = pick(world.tokens, a)
  if (token === undefined) return
  const isRefused = token.key !== null && token.account.isClaimed
  const answer = await world.askAs(token, 'GET /users/me/export', isRefused ? 'SIGN_IN_REQUIRED' : 200)
  if (isRefused || !isValid(token, world.nowMs(), 'account:read')) return
  const { account } = token
  assert.equal(answer.user.tokenVersion, account.version)
  assert.equal(answer.user.claimedAt !== null, account.isClaimed)
  assert.equal(answer.mailPause !== null, account.isClaimed && token.user.pausedMailAtMs !== null)
  const keys = new Map(answer.apiKeys.map((key: any) => [key.id, key.status]))
  assert.deepEqual(keys, new Map(account.keys.map((key) => [key.id, statusOf(key, world.nowMs())])))
  const identities = answer.identities.map(({ subject, email }: any) => ({ subject, email }))
  const { google } = account
  assert.deepEqual(identities, google === null ? [] : [{ subject: google.subject, email: google.email }])
}

/** Not compared: written behind at any time, or counted into one event per hour. */
const uncompared = new Set([
  'sign_in_refused',
  'signup_refused',
  'exchange_refused',
  'limit_hit',
  'renamed',
  'exported',
  'key_restricted',
  'payment_link_deactivated',
])

/** Hidden from a signup until the holder of the mailbox has claimed the account. */
const ownerOnly = new Set(['not_me', 'mail_resumed'])

const listEvents: Step = async (world, a, b) => {
  const token = pick(world.tokens, a)
  if (token === undefined) return
  const limit = 1 + (b % 20)
  const types: string[] = []
  for (let cursor = ''; ;) {
    const page = await world.askAs(token, `GET /auth/events?limit=${limit}${cursor}`, 200)
    if (!isValid(token, world.nowMs(), 'events:read')) return
    types.push(...page.events.map((event: any) => event.type))
    if (page.nextCursor === null) break
    cursor = `&cursor=${page.nextCursor}`
  }
  const { account } = token
  const shown = account.events.filter((type) => account.isClaimed || !ownerOnly.has(type))
  assert.deepEqual(types.filter((type) => !uncompared.has(type)).toReversed(), shown)
}

const readConfig: Step = async (world) => {
  const { clientId } = world.service.issuer
  assert.deepEqual(await world.ask('GET /auth/config', 200), { google: { clientId }, signup: 'open' })
  assert.equal((await world.ask('GET /', 200)).guide, `${world.service.origin}/llms.txt`)
}

export const accountSteps = {
  signUp,
  signIn,
  useSpentLink,
  pressNotMe,
  pressResume,
  lookAtMe,
  rename,
  signOutEverywhere,
  leave,
  exportAll,
  listEvents,
  readConfig,
} satisfies Record<string, Step>
