/** `GET /auth/apps`: the apps that have access to the caller's account. */
import { Type } from 'typebox'
import { findLiveApps } from '../../domain/keys/key-app-store.ts'
import { MAX_LIVE_APPS } from '../../domain/oauth/consent.ts'
import { describeApp } from '../../domain/oauth/describe-app.ts'
import { readCaller, requirePersonIfClaimed } from '../../domain/sign-in/authority.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { callerOf } from '../../http/guard.ts'
import { AppAnswer, exampleApp } from './app-answer.ts'

const Answer = Type.Object(
  { apps: Type.Array(AppAnswer) },
  { description: `The apps, newest first: at most ${MAX_LIVE_APPS}.`, examples: [{ apps: [exampleApp] }] },
)

export const listApps: Endpoint = (app, { config, db, clock }) => {
  app.get('/auth/apps', {
    config: { access: 'authenticated', scope: 'account:read', errors: ['SIGN_IN_REQUIRED'] },
    schema: {
      operationId: 'listApps',
      summary: 'List connected apps',
      description:
        'The apps whose access has neither ended nor expired. On an account with a proven address, a token from a magic-link or Google sign-in is required.',
      tags: ['OAuth'],
      'x-beyond-specification': true,
      response: { 200: Answer },
    },
    async handler(request) {
      const caller = callerOf(request)
      requirePersonIfClaimed(caller, caller.account)
      const apps = await findLiveApps(db, await readCaller(db, caller), clock.now())
      return { apps: apps.map((one) => describeApp(one, config)) }
    },
  })
}
