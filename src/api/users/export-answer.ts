/** The schema of an account export: everything stored except the hashes of secrets. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { ApiKeyAnswer, exampleApiKey } from '../api-key-answer.ts'
import { EventAnswer, exampleEvent } from '../event-answer.ts'
import type { MailKind } from '../../database/tables/mail-tables.ts'
import { mailKinds } from '../../domain/mails/mail-kinds.ts'
import { exampleExportedPaymentLink, ExportedPaymentLink } from './exported-payment-link.ts'
import { textOrNull, time, timeOrNull } from '../answer-fields.ts'

const mailKind = Type.Enum(Object.keys(mailKinds) as MailKind[], { title: 'MailKind' })

const ExportedKey = Type.Object(
  {
    ...ApiKeyAnswer.properties,
    kind: Type.Enum(['key', 'app'], { description: '`app`: the access of an app, which has no secret.' }),
    clientId: textOrNull(),
    resource: textOrNull(),
    lastUsedClient: textOrNull(),
    awaitsOwnerSince: timeOrNull(),
    rotatedAt: timeOrNull(),
    previousSecretUntil: timeOrNull(),
    weekNoticeAt: timeOrNull(),
    dayNoticeAt: timeOrNull(),
  },
  { title: 'ExportedApiKey' },
)

const ExportedMaker = Type.Object(
  {
    apiKeyId: Type.String(),
    how: Type.Enum(['created', 'rotated', 'widened', 'kept']),
    makerApiKeyId: textOrNull(),
    signInId: textOrNull(),
    at: time(),
    lastAt: timeOrNull(),
  },
  {
    title: 'ExportedKeyMaker',
    description:
      'The API key or the sign-in whose token created, rotated, widened or kept a key. The user id stands for keys that are deleted from the record.',
  },
)

const ExportedUse = Type.Object(
  {
    apiKeyId: Type.String(),
    day: Type.String({ format: 'date' }),
    exchanges: Type.Integer(),
    refusals: Type.Integer(),
  },
  { title: 'ExportedKeyUses', description: 'How often a key was exchanged and refused on a day (UTC).' },
)

const ExportedSignIn = Type.Object(
  {
    id: Type.String(),
    method: Type.Enum(['magic_link', 'google']),
    tokenVersion: Type.Integer(),
    createdAt: time(),
    expiresAt: time(),
    lastSeenAt: time(),
    endedAt: timeOrNull(),
    browser: textOrNull(),
    client: Type.String(),
    isNewBrowser: Type.Boolean(),
  },
  {
    title: 'ExportedSignIn',
    description:
      'A sign-in by a person, until a week after its expiry. It is live while `endedAt` is null, `tokenVersion` is that of the user and `expiresAt` has not passed.',
  },
)

const ExportedIdentity = Type.Object(
  { issuer: Type.String(), subject: Type.String(), email: Type.String(), connectedAt: time(), signInId: Type.String() },
  { title: 'ExportedIdentity', description: 'A connected account of an OpenID provider.' },
)

const ExportedButton = Type.Object(
  {
    action: Type.Enum(['not_me', 'resume_mail', 'confirm_email', 'undo_email']),
    mailKind,
    mailedAt: time(),
    expiresAt: time(),
    signInId: textOrNull(),
    tellsSince: timeOrNull(),
    usedAt: timeOrNull(),
  },
  { title: 'ExportedMailButton' },
)

const ExportedAddressChange = Type.Object(
  {
    oldEmail: Type.String(),
    newEmail: Type.String(),
    signInId: Type.String(),
    askedAt: time(),
    expiresAt: time(),
    confirmedAt: timeOrNull(),
    undoUntil: timeOrNull(),
    endedAt: timeOrNull(),
    deletionAskedAt: timeOrNull(),
    identities: Type.Array(ExportedIdentity),
  },
  { title: 'ExportedAddressChange', description: 'A change of the address; `identities` were connected before it.' },
)

const ExportedAmount = Type.Object(
  { apiKeyId: Type.String(), day: Type.String({ format: 'date' }), currency: Type.String(), amount: Type.Integer() },
  {
    title: 'ExportedAmount',
    description: 'For how much a key created payment links on a day (UTC), in minor units: of the last days only.',
  },
)

const ExportedMail = Type.Object(
  {
    kind: mailKind,
    locale: Type.String(),
    redirectTo: textOrNull(),
    createdAt: time(),
    tellsSince: timeOrNull(),
    dueAt: time(),
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
        name: textOrNull(),
        locale: textOrNull(),
        tokenVersion: Type.Integer(),
        createdAt: time(),
        claimedAt: timeOrNull(),
      },
      { title: 'ExportedUser' },
    ),
    signIns: Type.Array(ExportedSignIn),
    identities: Type.Array(ExportedIdentity),
    addressChanges: Type.Array(ExportedAddressChange),
    apiKeys: Type.Array(ExportedKey),
    keyMakers: Type.Array(ExportedMaker),
    keyAmounts: Type.Array(ExportedAmount),
    keyUses: Type.Array(ExportedUse),
    events: Type.Array(EventAnswer),
    paymentLinks: Type.Array(ExportedPaymentLink),
    signInLinks: Type.Array(
      Type.Object({ expiresAt: time(), redirectTo: textOrNull() }, { title: 'ExportedSignInLink' }),
    ),
    mailButtons: Type.Array(ExportedButton),
    queuedMails: Type.Array(ExportedMail),
    mailPause: Type.Union([
      Type.Object({ pausedAt: time(), mailedAt: timeOrNull() }, { title: 'ExportedMailPause' }),
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
        signIns: [
          {
            id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13',
            method: 'magic_link',
            tokenVersion: 0,
            createdAt: '2026-11-21T10:00:00.000Z',
            expiresAt: '2026-11-28T10:00:00.000Z',
            lastSeenAt: '2026-11-21T10:25:00.000Z',
            endedAt: null,
            browser: 'Chrome on Windows',
            client: '203.0.113.9',
            isNewBrowser: false,
          },
        ],
        identities: [
          {
            issuer: 'https://accounts.google.com',
            subject: '110169484474386276334',
            email: 'ana@gmail.com',
            connectedAt: '2026-11-21T10:00:00.000Z',
            signInId: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13',
          },
        ],
        addressChanges: [],
        apiKeys: [
          {
            ...exampleApiKey,
            lastUsedClient: null,
            kind: 'key' as const,
            clientId: null,
            resource: null,
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
        keyAmounts: [{ apiKeyId: exampleApiKey.id, day: '2026-11-21', currency: 'EUR', amount: 5000 }],
        keyUses: [{ apiKeyId: exampleApiKey.id, day: '2026-11-21', exchanges: 24, refusals: 0 }],
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
