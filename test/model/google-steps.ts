/** Google steps of a random life: each calls the service and checks the answer against the model. */
import assert from 'node:assert/strict'
import { assertDocumented } from '../support/documented.ts'
import { comeBack, startFlow } from '../support/google/google.ts'
import { read } from '../support/accounts/tokens.ts'
import { newAccount, noteSignIn, noteSignupNotice } from './account-steps.ts'
import type { Step } from './account-steps.ts'
import { claim, googleOutcome, isValid, needsOnboarding } from './model.ts'
import type { ModelIdentity, ModelToken, ModelUser } from './model.ts'
import { addToken, pick } from './world.ts'
import type { World } from './world.ts'

const WEEK_SECONDS = 7 * 24 * 3600
const TEN_MINUTES_MS = 600_000
const MAX_FLOWS = 3

/** The Google account that signs in, with any person's address. */
type Visitor = Readonly<{ subject: string; user: ModelUser; isAuthoritative: boolean }>

function visitorOf(world: World, a: number, b: number, c: number): Visitor {
  const [subject, user] = [pick(world.subjects, a) as string, pick(world.users, b) as ModelUser]
  return { subject, user, isAuthoritative: c % 2 === 0 }
}

function idTokenOf({ service }: World, { subject, user, isAuthoritative }: Visitor, nonce?: string): string {
  const { issuer } = service
  const hd = isAuthoritative ? 'example.com' : 'example.net'
  return issuer.sign(issuer.claims({ sub: subject, email: user.email, hd, nonce }))
}

/** Signs a visitor in, and checks the answer and the mails against the model. */
async function signInAs(
  world: World,
  visitor: Visitor,
  signInBy: (expected: string | number) => Promise<any>,
): Promise<void> {
  const { subject, isAuthoritative } = visitor
  const outcome = googleOutcome(world.users, subject, visitor.user, isAuthoritative)
  if (outcome.how === 'refused') {
    await signInBy('EMAIL_NOT_VERIFIED')
    return
  }
  const { user, how } = outcome
  let answer: any
  const mails = await world.mailsAfter(user.email, async () => void (answer = await signInBy(200)))
  const signInId = String(read(answer.token).claims['sid'])
  const google: ModelIdentity = { subject, email: visitor.user.email, connectedAtMs: world.nowMs(), signInId }
  const account = user.account ?? newAccount(answer.user.id, isAuthoritative)
  user.account = account
  if (how === 'made' && !isAuthoritative) noteSignupNotice(world, user, account, mails)
  if (how === 'claimed') claim(account)
  if (how === 'known' && account.google !== null) account.google.email = google.email
  else account.google = google
  const isNotified = how === 'claimed' || how === 'joined'
  if (isNotified) account.events.push('google_connected')
  account.events.push('signed_in')
  assertNotified(mails, isNotified)

  assert.deepEqual(answer.user, { id: account.id, email: user.email, role: 'USER' })
  assert.equal(answer.needsOnboarding, needsOnboarding(account, world.nowMs()))
  noteSignIn(world, account, { id: signInId, method: 'google' })
  addToken(world, answer.token, { user, account, key: null, signInId }, WEEK_SECONDS)
}

function assertNotified(mails: Awaited<ReturnType<World['mailsAfter']>>, isNotified: boolean): void {
  const notices = mails.filter(({ message }) => message.subject === 'Your sign-in with Google changed')
  assert.equal(notices.length, isNotified ? 1 : 0, 'notices of a connection')
}

const signInWithGoogle: Step = async (world, a, b, c) => {
  const visitor = visitorOf(world, a, b, c)
  const credential = idTokenOf(world, visitor)
  await signInAs(world, visitor, async (expected) => {
    const answer = await world.ask('POST /auth/google/onetap', expected, { body: { credential } })
    if (expected === 200) world.spentCredentials.push(credential)
    return answer
  })
}

const useSpentCredential: Step = async (world, a, b) => {
  const body = { credential: pick(world.spentCredentials, a) ?? 'unknown' }
  const token = pick(world.tokens, b)
  await world.ask('POST /auth/google/onetap', 'GOOGLE_CREDENTIAL_INVALID', { body })
  if (token === undefined) return
  const expected = isRecent(world, token) ? 'GOOGLE_CREDENTIAL_INVALID' : 'SIGN_IN_REQUIRED'
  await world.askAs(token, 'POST /auth/google/connection', expected, { body })
}

const underWay = ({ flows, nowMs }: World) =>
  flows.filter(({ isOver, startedAtMs }) => !isOver && startedAtMs + TEN_MINUTES_MS > nowMs())

const startGoogle: Step = async (world) => {
  // Flows started within the same second have no oldest one.
  if (underWay(world).length === MAX_FLOWS) return
  const { state, nonce } = await startFlow(world, { jar: world.jar })
  const startedAtMs = Math.floor(world.nowMs() / 1000) * 1000
  world.flows.push({ state, nonce, startedAtMs, isOver: false })
}

const comeBackFromGoogle: Step = async (world, a, b, c) => {
  const { service, jar } = world
  const flow = pick(world.flows, a) ?? { state: 'unknown', nonce: 'unknown', startedAtMs: 0, isOver: true }
  const callCallback = async (expected: string | number, parameters: Record<string, string>) => {
    const answer = await comeBack(world, jar, { state: flow.state, ...parameters })
    assert.equal(answer.body?.error?.code ?? answer.status, expected, answer.text)
    assertDocumented('GET /auth/google/callback', answer)
    return answer.body
  }
  if (!underWay(world).includes(flow)) {
    await callCallback('OAUTH_STATE_INVALID', { code: 'code' })
    for (const each of world.flows) each.isOver = true
    assert.equal(jar.cookies.size, 0)
    return
  }
  flow.isOver = true
  if (c % 5 === 0) {
    await callCallback('OAUTH_DENIED', { error: 'access_denied' })
    return
  }
  const visitor = visitorOf(world, c, b, a)
  service.issuer.idToken = idTokenOf(world, visitor, flow.nonce)
  await signInAs(world, visitor, (expected) => callCallback(expected, { code: 'code' }))
}

const isRecent = (world: World, { signInId, account }: ModelToken): boolean =>
  account.signIns.some(({ id, atMs }) => id === signInId && atMs + TEN_MINUTES_MS > world.nowMs())

const connect: Step = async (world, a, b, c) => {
  const token = pick(world.tokens, a)
  if (token === undefined) return
  const { account, user } = token
  const visitor = visitorOf(world, b, c, c)
  const { subject } = visitor
  const credential = idTokenOf(world, visitor)
  const holder = world.users.find((each) => each.account?.google?.subject === subject)
  const isSame = account.google?.subject === subject
  const isTaken = !isSame && (holder !== undefined || account.google !== null)
  const expected = !isRecent(world, token) ? 'SIGN_IN_REQUIRED' : isTaken ? 'GOOGLE_ALREADY_CONNECTED' : 200
  let answer: any
  const mails = await world.mailsAfter(user.email, async () => {
    answer = await world.askAs(token, 'POST /auth/google/connection', expected, { body: { credential } })
  })
  const isDone = expected === 200 && isValid(token, world.nowMs(), 'account:write')
  assertNotified(mails, isDone && !isSame && account.isClaimed)
  if (!isDone) return
  world.spentCredentials.push(credential)
  if (!isSame) {
    const signInId = token.signInId ?? ''
    account.google = { subject, email: visitor.user.email, connectedAtMs: world.nowMs(), signInId }
    account.connections.push({ atMs: world.nowMs(), signInId })
    account.events.push('google_connected')
  }
  assert.deepEqual(answer, shown(account.google))
}

function shown(google: ModelIdentity | null) {
  if (google === null) return { connection: null }
  return { connection: { email: google.email, connectedAt: new Date(google.connectedAtMs).toISOString() } }
}

const lookAtConnection: Step = async (world, a) => {
  const token = pick(world.tokens, a)
  if (token === undefined) return
  const answer = await world.askAs(token, 'GET /auth/google/connection', 200)
  if (isValid(token, world.nowMs(), 'account:read')) assert.deepEqual(answer, shown(token.account.google))
}

const disconnect: Step = async (world, a) => {
  const token = pick(world.tokens, a)
  if (token === undefined) return
  const { account, user } = token
  const expected = isRecent(world, token) ? 200 : 'SIGN_IN_REQUIRED'
  const mails = await world.mailsAfter(user.email, async () => {
    await world.askAs(token, 'DELETE /auth/google/connection', expected)
  })
  const isDone = expected === 200 && isValid(token, world.nowMs(), 'account:write') && account.google !== null
  assertNotified(mails, isDone && account.isClaimed)
  if (!isDone) return
  account.google = null
  account.events.push('google_disconnected')
}

export const googleSteps = {
  signInWithGoogle,
  useSpentCredential,
  startGoogle,
  comeBackFromGoogle,
  connect,
  lookAtConnection,
  disconnect,
} satisfies Record<string, Step>
