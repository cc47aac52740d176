/** `GET /users/me/export`: everything held about the caller, as JSON (GDPR, article 20). */
import { Type } from 'typebox'
import { ApiKeyAnswer, exampleApiKey, toApiKeyAnswer } from '../../accounts/api-key-answer.ts'
import { callerOf, unauthorized } from '../../accounts/authenticate.ts'
import { EventAnswer, exampleEvent, toEventAnswer } from '../../accounts/event-answer.ts'
import { findEvents } from '../../accounts/event-store.ts'
import { findAllKeysOfUser } from '../../accounts/key-store.ts'
import { findLinksOf } from '../../accounts/link-store.ts'
import { findUser } from '../../accounts/user-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { findPause } from '../../mail/action-store.ts'
import { findMailsTo } from '../../mail/mail-store.ts'

const time = Type.String({ format: 'date-time' })
const timeOrNull = Type.Union([time, Type.Null()])
const textOrNull = Type.Union([Type.String(), Type.Null()])

/** More events than an account can have in the time they are kept, within its limits. */
const EVERY_EVENT = 1_000_000

const Answer = Type.Object(
  {
    user: Type.Object({
      id: Type.String(),
      email: Type.String(),
      role: Type.String(),
      name: textOrNull,
      locale: textOrNull,
      tokenVersion: Type.Integer(),
      createdAt: time,
      claimedAt: timeOrNull,
    }),
    apiKeys: Type.Array(ApiKeyAnswer),
    events: Type.Array(EventAnswer),
    signInLinks: Type.Array(Type.Object({ expiresAt: time, redirectTo: textOrNull })),
    queuedMails: Type.Array(Type.Object({ kind: Type.String(), createdAt: time, redirectTo: textOrNull })),
    mailPausedAt: timeOrNull,
  },
  {
    description: 'Everything, of hashes of secrets only that there are some.',
    examples: [
      {
        user: {
          id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10',
          email: 'ana@example.com',
          role: 'USER',
          name: 'Ana',
          locale: 'ro',
          tokenVersion: 0,
          createdAt: '2026-11-21T10:00:00.000Z',
          claimedAt: '2026-11-21T10:00:00.000Z',
        },
        apiKeys: [exampleApiKey],
        events: [exampleEvent],
        signInLinks: [],
        queuedMails: [],
        mailPausedAt: null,
      },
    ],
  },
)

/** Adds the endpoint. */
export const exportMe: Endpoint = (app, { db, clock }) => {
  app.get('/users/me/export', {
    config: { access: 'authenticated' },
    schema: {
      operationId: 'exportMe',
      summary: 'Export everything held about the current user',
      tags: ['Users'],
      'x-beyond-specification': true,
      response: { 200: Answer },
    },
    async handler(request, reply) {
      const user = await findUser(db, callerOf(request).userId)
      if (user === undefined) throw unauthorized('invalid_token')
      const { id, email, role, name, locale } = user
      const keys = await findAllKeysOfUser(db, id)
      const events = await findEvents(db, id, { after: undefined, limit: EVERY_EVENT })
      const links = await findLinksOf(db, email)
      const mails = await findMailsTo(db, email)
      const pause = await findPause(db, email)
      reply.header('content-disposition', 'attachment; filename="account.json"')
      return {
        user: {
          id,
          email,
          role,
          name,
          locale,
          tokenVersion: user.token_version,
          createdAt: toIso(user.created_at_ms),
          claimedAt: user.claimed_at_ms === null ? null : toIso(user.claimed_at_ms),
        },
        apiKeys: keys.map((key) => toApiKeyAnswer(key, clock.now())),
        events: events.map(toEventAnswer),
        signInLinks: links.map((link) => ({ expiresAt: toIso(link.expires_at_ms), redirectTo: link.redirect_to })),
        queuedMails: mails.map((mail) => ({
          kind: mail.kind,
          createdAt: toIso(mail.created_at_ms),
          redirectTo: mail.redirect_to,
        })),
        mailPausedAt: pause === undefined ? null : toIso(pause.paused_at_ms),
      }
    },
  })
}

const toIso = (atMs: number): string => new Date(atMs).toISOString()
