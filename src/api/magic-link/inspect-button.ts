/** `POST /auth/links/not-me/inspect`: what the mail of a “This wasn’t you?” button was about, without pressing it. */
import { Type } from 'typebox'
import type { MailKind } from '../../database/tables/mail-tables.ts'
import { findUserOfMailbox } from '../../domain/address-change/former-user.ts'
import { findButton } from '../../domain/mails/mail-button-store.ts'
import { mailKinds } from '../../domain/mails/mail-kinds.ts'
import { describeSignIn } from '../../domain/sign-in/describe-sign-in.ts'
import { findReportedSignIns } from '../../domain/undo/reported-sign-ins.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { maskEmailAddress } from '../../lib/text/email-address.ts'
import { sha256 } from '../../lib/hash.ts'
import { clientNetwork } from '../../lib/network.ts'
import { signInFields } from '../sign-in-answer.ts'
import { ButtonBody, buttonInvalid } from './mail-button.ts'

const Answer = Type.Object(
  {
    email: Type.String({ description: 'The masked address of the mail.' }),
    mailKind: Type.Enum(Object.keys(mailKinds) as MailKind[], { title: 'MailKind' }),
    mailedAt: Type.String({ format: 'date-time' }),
    usedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the button was pressed. Null: it was not.',
    }),
    signIn: Type.Union([Type.Object(signInFields, { title: 'SignIn' }), Type.Null()], {
      description:
        'The sign-in by the link of this mail, or the first from a new browser that it reports. Null: there was none, or it ended more than a week ago.',
    }),
  },
  {
    description: 'What the mail was about. Nothing is changed.',
    examples: [
      {
        email: 'a***@example.com',
        mailKind: 'sign_in',
        mailedAt: '2026-11-21T10:00:00.000Z',
        usedAt: null,
        signIn: {
          method: 'magic_link',
          createdAt: '2026-11-21T10:01:00.000Z',
          browser: 'Chrome',
          system: 'Windows',
          network: '203.0.113.0/24',
        },
      },
    ],
  },
)

export const inspectButton: Endpoint = (app, { db, clock, rateLimits }) => {
  app.post('/auth/links/not-me/inspect', {
    config: { access: 'public', crossSite: 'refused', errors: ['LINK_INVALID', 'RATE_LIMITED'] },
    schema: {
      operationId: 'inspectButton',
      summary: 'Inspect a mail before it is disowned',
      description: 'For a page that shows which sign-in the button will end.',
      tags: ['Magic link'],
      'x-beyond-specification': true,
      body: ButtonBody,
      response: { 200: Answer },
    },
    async handler(request, reply) {
      const button = await findButton(db, 'not_me', sha256(request.body.token), clock.now())
      if (button === undefined) {
        await rateLimits.count(reply, ['sign-in-failures', clientNetwork(request.ip)])
        throw buttonInvalid()
      }
      const { email, mail_kind: mailKind, mailed_at_ms: mailedAtMs, used_at_ms: usedAtMs } = button
      const user = await findUserOfMailbox(db, email, clock.now())
      const [signIn] = user === undefined ? [] : await findReportedSignIns(db, user.id, button)
      return {
        email: maskEmailAddress(email),
        mailKind,
        mailedAt: new Date(mailedAtMs).toISOString(),
        usedAt: usedAtMs === null ? null : new Date(usedAtMs).toISOString(),
        signIn: signIn === undefined ? null : describeSignIn(signIn),
      }
    },
  })
}
