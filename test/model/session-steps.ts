/** Steps of a random life that see and end sign-ins. */
import assert from 'node:assert/strict'
import type { Step } from './account-steps.ts'
import { isValid, liveSignIns } from './model.ts'
import type { ModelSignIn, ModelToken } from './model.ts'
import { pick } from './world.ts'
import type { World } from './world.ts'

/** A key's token sees and ends sign-ins only before the claim. */
const isRefused = ({ key, account }: ModelToken): boolean => key !== null && account.isClaimed

const listSessions: Step = async (world, a) => {
  const token = pick(world.tokens, a)
  if (token === undefined) return
  await seeApps(world, token)
  const answer = await world.askAs(token, 'GET /auth/sessions', isRefused(token) ? 'SIGN_IN_REQUIRED' : 200)
  if (isRefused(token) || !isValid(token, world.nowMs(), 'account:read')) return
  const listed = answer.sessions.map(({ id, current }: any) => `${id} ${current}`)
  const live = liveSignIns(token.account, world.nowMs()).map(({ id }) => `${id} ${id === token.signInId}`)
  assert.deepEqual(new Set(listed), new Set(live))
}

/** No app has access to an account of a life. */
async function seeApps(world: World, token: ModelToken): Promise<void> {
  const isOwner = token.key === null && token.account.isClaimed
  await world.ask('GET /oauth/authorize', 302)
  const inspected = await world.askAs(token, 'POST /oauth/authorize/inspect', isOwner ? 200 : 'SIGN_IN_REQUIRED', {
    body: { query: 'client_id=unknown' },
  })
  if (isOwner && isValid(token, world.nowMs())) assert.equal(inspected.request, null)
  await world.askAs(token, 'POST /oauth/authorize/decide', isOwner ? 'CONSENT_ENDED' : 'SIGN_IN_REQUIRED', {
    body: { requestId: 'unknown', allow: false },
  })
  const answer = await world.askAs(token, 'GET /auth/apps', isRefused(token) ? 'SIGN_IN_REQUIRED' : 200)
  if (answer.apps !== undefined) assert.deepEqual(answer.apps, [])
  await world.askAs(token, 'POST /auth/apps/unknown/revoke', isRefused(token) ? 'SIGN_IN_REQUIRED' : 'NOT_FOUND')
}

const endSession: Step = async (world, a, b) => {
  const token = pick(world.tokens, a)
  if (token === undefined) return
  // Of any account: another's is not found.
  const all = world.users.flatMap(({ account }) => account?.signIns ?? [])
  const signIn = pick(all, b)
  const isOwn = signIn !== undefined && token.account.signIns.includes(signIn)
  const wasValid = isValid(token, world.nowMs(), 'account:write')
  const expected = isRefused(token) ? 'SIGN_IN_REQUIRED' : isOwn ? 200 : 'NOT_FOUND'
  await world.askAs(token, `POST /auth/sessions/${signIn?.id ?? 'unknown'}/revoke`, expected)
  if (expected === 200 && wasValid) end(token, signIn)
}

const signOut: Step = async (world, a) => {
  const token = pick(world.tokens, a)
  if (token === undefined) return
  const wasValid = isValid(token, world.nowMs(), 'account:write')
  await world.askAs(token, 'POST /auth/sign-out', token.key === null ? 200 : 'SIGN_IN_REQUIRED')
  if (token.key !== null || !wasValid) return
  end(
    token,
    token.account.signIns.find(({ id }) => id === token.signInId),
  )
}

function end({ account }: ModelToken, signIn: ModelSignIn | undefined): void {
  if (signIn === undefined || signIn.isEnded) return
  signIn.isEnded = true
  account.events.push('signed_out')
}

export const sessionSteps = { listSessions, endSession, signOut } satisfies Record<string, Step>
