/** The schema of an account export: everything stored except the hashes of secrets. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { ApiKeyAnswer, exampleApiKey } from '../api-key-answer.ts'
import { EventAnswer, exampleEvent } from '../event-answer.ts'
import type { MailKind } from '../../database/tables/mail-tables.ts'
import { mailKinds } from '../../domain/mails/mail-kinds.ts'
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
