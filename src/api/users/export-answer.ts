/** The schema of an account export: everything stored except the hashes of secrets. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { displayEmailAddress } from '../../lib/email-address.ts'
import { ApiKeyAnswer, exampleApiKey } from '../api-key-answer.ts'
import { describeKey } from '../../domain/keys/describe-key.ts'
import { EventAnswer, exampleEvent } from '../event-answer.ts'
import type { Identity } from '../../domain/google/identity-store.ts'
import type { KeyMaker } from '../../domain/keys/key-maker-store.ts'
import type { ApiKey } from '../../domain/keys/key-store.ts'
import type { MagicLink } from '../../domain/sign-in/magic-link-store.ts'
import type { User } from '../../domain/users/user-store.ts'
import type { MailKind } from '../../database/tables/mail-tables.ts'
import { mailKinds } from '../../domain/mails/mail-kinds.ts'
import type { MailButton, MailPause } from '../../domain/mails/mail-button-store.ts'
import type { QueuedMail } from '../../domain/mails/mail-queue-store.ts'
import { exampleExportedPaymentLink, ExportedPaymentLink } from './exported-payment-link.ts'

const time = Type.String({ format: 'date-time' })
const timeOrNull = Type.Union([time, Type.Null()])
const textOrNull = Type.Union([Type.String(), Type.Null()])
const mailKind = Type.Enum(Object.keys(mailKinds) as MailKind[], { title: 'MailKind' })

const ExportedKey = Type.Object(
  {
    ...ApiKeyAnswer.properties,
    awaitsOwnerSince: timeOrNull,
    rotatedAt: timeOrNull,
    previousSecretUntil: timeOrNull,
    weekNoticeAt: timeOrNull,
    dayNoticeAt: timeOrNull,
  },
  { title: 'ExportedApiKey' },
)

const ExportedMaker = Type.Object(
  {
    apiKeyId: Type.String(),
    how: Type.Enum(['created', 'rotated', 'kept']),
    makerApiKeyId: textOrNull,
    signInId: textOrNull,
    at: time,
    lastAt: timeOrNull,
  },
  {
    title: 'ExportedKeyMaker',
    description:
      'The API key or the sign-in whose token created, rotated or kept a key. The user id stands for keys that are deleted from the record.',
  },
)

const ExportedIdentity = Type.Object(
  { issuer: Type.String(), subject: Type.String(), email: Type.String(), connectedAt: time, signInId: Type.String() },
  { title: 'ExportedIdentity', description: 'A connected account of an OpenID provider.' },
)

const ExportedButton = Type.Object(
  {
    action: Type.Enum(['not_me', 'resume_mail']),
    mailKind,
    mailedAt: time,
    expiresAt: time,
    signInId: textOrNull,
    tellsSince: timeOrNull,
    usedAt: timeOrNull,
  },
  { title: 'ExportedMailButton' },
)

const ExportedMail = Type.Object(
  {
    kind: mailKind,
    locale: Type.String(),
    redirectTo: textOrNull,
    createdAt: time,
    tellsSince: timeOrNull,
    dueAt: time,
    attempts: Type.Integer(),
  },
  { title: 'ExportedMail' },
)

export const ExportAnswer = Type.Object(
  {
    user: Type.Object(
      {
        id: Type.String(),
        email: Type.String(),
        role: Type.String(),
        name: textOrNull,
        locale: textOrNull,
        tokenVersion: Type.Integer(),
        createdAt: time,
        claimedAt: timeOrNull,
      },
      { title: 'ExportedUser' },
    ),
    identities: Type.Array(ExportedIdentity),
    apiKeys: Type.Array(ExportedKey),
    keyMakers: Type.Array(ExportedMaker),
    events: Type.Array(EventAnswer),
    paymentLinks: Type.Array(ExportedPaymentLink),
    signInLinks: Type.Array(Type.Object({ expiresAt: time, redirectTo: textOrNull }, { title: 'ExportedSignInLink' })),
    mailButtons: Type.Array(ExportedButton),
    queuedMails: Type.Array(ExportedMail),
    mailPause: Type.Union([
      Type.Object({ pausedAt: time, mailedAt: timeOrNull }, { title: 'ExportedMailPause' }),
      Type.Null(),
    ]),
  },
  {
    description: 'Everything stored, except the hashes of secrets.',
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
        identities: [
          {
            issuer: 'https://accounts.google.com',
            subject: '110169484474386276334',
            email: 'ana@gmail.com',
            connectedAt: '2026-11-21T10:00:00.000Z',
            signInId: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13',
          },
        ],
        apiKeys: [
          {
            ...exampleApiKey,
            awaitsOwnerSince: null,
            rotatedAt: null,
            previousSecretUntil: null,
            weekNoticeAt: null,
            dayNoticeAt: null,
          },
        ],
        keyMakers: [
          {
            apiKeyId: exampleApiKey.id,
            how: 'created',
            makerApiKeyId: null,
            signInId: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13',
            at: '2026-11-21T10:00:00.000Z',
            lastAt: '2026-11-21T10:00:00.000Z',
          },
        ],
        events: [exampleEvent],
        paymentLinks: [exampleExportedPaymentLink],
        signInLinks: [],
        mailButtons: [],
        queuedMails: [],
        mailPause: null,
      },
    ],
  },
)

export type Exported = Static<typeof ExportAnswer>

export const toExportedUser = ({ id, email, role, name, locale, ...user }: User): Exported['user'] => ({
  id,
  email: displayEmailAddress(email),
  role,
  name,
  locale,
  tokenVersion: user.token_version,
  createdAt: toIso(user.created_at_ms),
  claimedAt: toIsoOrNull(user.claimed_at_ms),
})

export const toExportedIdentity = ({
  issuer,
  subject,
  email,
  ...identity
}: Identity): Exported['identities'][number] => ({
  issuer,
  subject,
  email: displayEmailAddress(email),
  connectedAt: toIso(identity.connected_at_ms),
  signInId: identity.sign_in_id,
})

export const toExportedKey = (key: ApiKey, nowMs: number): Static<typeof ExportedKey> => ({
  ...describeKey(key, nowMs),
  awaitsOwnerSince: toIsoOrNull(key.awaits_owner_at_ms),
  rotatedAt: toIsoOrNull(key.rotated_at_ms),
  previousSecretUntil: toIsoOrNull(key.previous_secret_until_ms),
  weekNoticeAt: toIsoOrNull(key.week_notice_at_ms),
  dayNoticeAt: toIsoOrNull(key.day_notice_at_ms),
})

export const toExportedMaker = (maker: KeyMaker): Static<typeof ExportedMaker> => ({
  apiKeyId: maker.key_id,
  how: maker.how,
  makerApiKeyId: maker.maker_key_id,
  signInId: maker.sign_in_id,
  at: toIso(maker.at_ms),
  lastAt: toIsoOrNull(maker.last_at_ms),
})

export const toExportedButton = (button: MailButton): Static<typeof ExportedButton> => ({
  action: button.action,
  mailKind: button.mail_kind,
  mailedAt: toIso(button.mailed_at_ms),
  expiresAt: toIso(button.expires_at_ms),
  signInId: button.sign_in_id,
  tellsSince: toIsoOrNull(button.tells_since_ms),
  usedAt: toIsoOrNull(button.used_at_ms),
})

export const toExportedMail = ({ kind, locale, attempts, ...mail }: QueuedMail): Static<typeof ExportedMail> => ({
  kind,
  locale,
  redirectTo: mail.redirect_to,
  createdAt: toIso(mail.created_at_ms),
  tellsSince: toIsoOrNull(mail.tells_since_ms),
  dueAt: toIso(mail.due_at_ms),
  attempts,
})

export const toExportedPause = (pause: MailPause): Exported['mailPause'] => ({
  pausedAt: toIso(pause.paused_at_ms),
  mailedAt: toIsoOrNull(pause.mailed_at_ms),
})

export const toExportedLink = (link: MagicLink): Exported['signInLinks'][number] => ({
  expiresAt: toIso(link.expires_at_ms),
  redirectTo: link.redirect_to,
})

const toIso = (atMs: number): string => new Date(atMs).toISOString()
const toIsoOrNull = (atMs: number | null): string | null => (atMs === null ? null : toIso(atMs))
