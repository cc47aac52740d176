/** `GET /users/me/export`: everything held about the caller, as JSON (GDPR, article 20). */
import { Type } from 'typebox'
import { ApiKeyAnswer, exampleApiKey, toApiKeyAnswer } from '../../accounts/api-key-answer.ts'
import { callerOf, unauthorized } from '../../accounts/authenticate.ts'
import { EventAnswer, exampleEvent, toEventAnswer } from '../../accounts/event-answer.ts'
import { findEvents } from '../../accounts/event-store.ts'
import { findAllKeysOfUser } from '../../accounts/key-store.ts'
import type { ApiKey } from '../../accounts/key-store.ts'
import { findLinksOf } from '../../accounts/link-store.ts'
import { findUser } from '../../accounts/user-store.ts'
import type { User } from '../../accounts/user-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { findActionsOf, findPause } from '../../mail/action-store.ts'
import type { MailedAction, MailPause } from '../../mail/action-store.ts'
import { findMailsTo } from '../../mail/mail-store.ts'
import type { QueuedMail } from '../../mail/mail-store.ts'

const time = Type.String({ format: 'date-time' })
const timeOrNull = Type.Union([time, Type.Null()])
const textOrNull = Type.Union([Type.String(), Type.Null()])

const ExportedKey = Type.Object({
  ...ApiKeyAnswer.properties,
  createdByKeyId: textOrNull,
  createdBySignInId: textOrNull,
  rotatedByKeyId: textOrNull,
  awaitsOwnerSince: timeOrNull,
  rotatedAt: timeOrNull,
  previousSecretUntil: timeOrNull,
  weekNoticeAt: timeOrNull,
  dayNoticeAt: timeOrNull,
})

const ExportedButton = Type.Object({
  action: Type.String(),
  mailKind: Type.String(),
  mailedAt: time,
  expiresAt: time,
  signInId: textOrNull,
  tellsSince: timeOrNull,
  usedAt: timeOrNull,
})

const ExportedMail = Type.Object({
  kind: Type.String(),
  locale: Type.String(),
  redirectTo: textOrNull,
  createdAt: time,
  tellsSince: timeOrNull,
  dueAt: time,
  attempts: Type.Integer(),
})

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
    apiKeys: Type.Array(ExportedKey),
    events: Type.Array(EventAnswer),
    signInLinks: Type.Array(Type.Object({ expiresAt: time, redirectTo: textOrNull })),
    mailButtons: Type.Array(ExportedButton),
    queuedMails: Type.Array(ExportedMail),
    mailPause: Type.Union([Type.Object({ pausedAt: time, mailedAt: timeOrNull }), Type.Null()]),
  },
  {
    description: 'Everything but the hashes of secrets.',
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
        apiKeys: [
          {
            ...exampleApiKey,
            createdByKeyId: null,
            createdBySignInId: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13',
            rotatedByKeyId: null,
            awaitsOwnerSince: null,
            rotatedAt: null,
            previousSecretUntil: null,
            weekNoticeAt: null,
            dayNoticeAt: null,
          },
        ],
        events: [exampleEvent],
        signInLinks: [],
        mailButtons: [],
        queuedMails: [],
        mailPause: null,
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
      const { id, email } = user
      const keys = await findAllKeysOfUser(db, id)
      const events = await findEvents(db, id, { after: undefined, limit: EVERY_EVENT })
      const links = await findLinksOf(db, email)
      const buttons = await findActionsOf(db, email)
      const mails = await findMailsTo(db, email)
      const pause = await findPause(db, email)
      reply.header('content-disposition', 'attachment; filename="account.json"')
      return {
        user: toExportedUser(user),
        apiKeys: keys.map((key) => toExportedKey(key, clock.now())),
        events: events.map(toEventAnswer),
        signInLinks: links.map((link) => ({ expiresAt: toIso(link.expires_at_ms), redirectTo: link.redirect_to })),
        mailButtons: buttons.map(toExportedButton),
        queuedMails: mails.map(toExportedMail),
        mailPause: pause === undefined ? null : toExportedPause(pause),
      }
    },
  })
}

const toExportedUser = ({ id, email, role, name, locale, ...user }: User) => ({
  id,
  email,
  role,
  name,
  locale,
  tokenVersion: user.token_version,
  createdAt: toIso(user.created_at_ms),
  claimedAt: toIsoOrNull(user.claimed_at_ms),
})

const toExportedKey = (key: ApiKey, nowMs: number) => ({
  ...toApiKeyAnswer(key, nowMs),
  createdByKeyId: key.created_by_key_id,
  createdBySignInId: key.created_by_sign_in_id,
  rotatedByKeyId: key.rotated_by_key_id,
  awaitsOwnerSince: toIsoOrNull(key.awaits_owner_at_ms),
  rotatedAt: toIsoOrNull(key.rotated_at_ms),
  previousSecretUntil: toIsoOrNull(key.previous_secret_until_ms),
  weekNoticeAt: toIsoOrNull(key.week_notice_at_ms),
  dayNoticeAt: toIsoOrNull(key.day_notice_at_ms),
})

const toExportedButton = (button: MailedAction) => ({
  action: button.action,
  mailKind: button.mail_kind,
  mailedAt: toIso(button.mailed_at_ms),
  expiresAt: toIso(button.expires_at_ms),
  signInId: button.sign_in_id,
  tellsSince: toIsoOrNull(button.tells_since_ms),
  usedAt: toIsoOrNull(button.used_at_ms),
})

const toExportedMail = ({ kind, locale, attempts, ...mail }: QueuedMail) => ({
  kind,
  locale,
  redirectTo: mail.redirect_to,
  createdAt: toIso(mail.created_at_ms),
  tellsSince: toIsoOrNull(mail.tells_since_ms),
  dueAt: toIso(mail.due_at_ms),
  attempts,
})

const toExportedPause = (pause: MailPause) => ({
  pausedAt: toIso(pause.paused_at_ms),
  mailedAt: toIsoOrNull(pause.mailed_at_ms),
})

const toIso = (atMs: number): string => new Date(atMs).toISOString()
const toIsoOrNull = (atMs: number | null): string | null => (atMs === null ? null : toIso(atMs))
