/** `GET /auth/sessions`: the live sign-ins of the caller's account. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { readCaller, requirePersonIfClaimed } from '../../domain/sign-in/authority.ts'
import { idleSinceMs } from '../../domain/sign-in/idle-sign-ins.ts'
import { findLiveSignIns } from '../../domain/sign-in/sign-in-store.ts'
import { MAX_LIVE_SIGN_INS } from '../../domain/sign-in/start-sign-in.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { exampleSession, SessionAnswer, toSessionAnswer } from './session-answer.ts'

const Answer = Type.Object(
  { sessions: Type.Array(SessionAnswer) },
  {
    description: `The live sign-ins, last seen first: at most ${MAX_LIVE_SIGN_INS}.`,
    examples: [{ sessions: [exampleSession] }],
  },
)

export const listSessions: Endpoint = (app, { config, db, clock }) => {
  app.get('/auth/sessions', {
    config: { access: 'authenticated', scope: 'account:read', errors: ['SIGN_IN_REQUIRED'] },
    schema: {
      operationId: 'listSessions',
      summary: 'List sign-ins',
      description:
        'The sign-ins by people that have neither ended nor expired. A sign-in by a version of the service before it listed sign-ins is not shown. On an account with a proven address, a token from a magic-link or Google sign-in is required.',
      tags: ['Sign-ins'],
      'x-beyond-specification': true,
      response: { 200: Answer },
    },
    async handler(request) {
      const caller = callerOf(request)
      requirePersonIfClaimed(caller, caller.account)
      const nowMs = clock.now()
      const user = { id: caller.userId, token_version: caller.tokenVersion }
      const sessions = await findLiveSignIns(db, { user, nowMs, idleSinceMs: idleSinceMs(config, nowMs) })
      // After the read: a caller from before a claim must not see how the owner signed in.
      await readCaller(db, caller)
      return { sessions: sessions.map((signIn) => toSessionAnswer(signIn, caller)) }
    },
  })
}
