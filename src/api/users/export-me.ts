/** `GET /users/me/export`: everything stored about the caller, as JSON (GDPR, article 20). */
import { callerOf } from '../../http/guard.ts'
import { limitKeyOf, requireValidToken, requirePersonIfClaimed, withAuthority } from '../../domain/sign-in/authority.ts'
import { toEventAnswer } from '../event-answer.ts'
import { findEvents } from '../../domain/events/event-store.ts'
import type { SecurityEvent } from '../../domain/events/event-store.ts'
import { hiddenUntilClaimed, recordRepeatedEvent } from '../../domain/events/security-events.ts'
import { noteLimitHit } from '../../domain/events/failure-log.ts'
import { findIdentitiesOf } from '../../domain/google/identity-store.ts'
import { findMakers } from '../../domain/keys/key-maker-store.ts'
import { findAllKeysOfUser } from '../../domain/keys/key-store.ts'
import type { ApiKey } from '../../domain/keys/key-store.ts'
import { findLinksOf } from '../../domain/sign-in/magic-link-store.ts'
import { findPaymentLinks } from '../../domain/payment-links/payment-link-store.ts'
import type { Currency } from '../../domain/payment-links/currency.ts'
import { findUsableRates } from '../../domain/payment-links/usable-rates.ts'
import type { Position } from '../../lib/position.ts'
import type { User } from '../../domain/users/user-store.ts'
import type { Queries } from '../../database/database.ts'
import type { Deps } from '../../http/deps.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { jsonStream } from '../../http/json-stream.ts'
import { findButtonsOf, findPause } from '../../domain/mails/mail-button-store.ts'
import { findMailsTo } from '../../domain/mails/mail-queue-store.ts'
import {
  ExportAnswer,
  toExportedButton,
  toExportedIdentity,
  toExportedKey,
  toExportedLink,
  toExportedMail,
  toExportedMaker,
  toExportedPause,
  toExportedUser,
} from './export-answer.ts'
import type { Exported } from './export-answer.ts'
import { toExportedPaymentLink } from './exported-payment-link.ts'

/** Rows read into memory, and serialised without yielding to the event loop, at a time. */
const PAGE_SIZE = 200

export const exportMe: Endpoint = (app, deps) => {
  const { db, clock, rateLimits, failureLog } = deps

  app.get('/users/me/export', {
    config: { access: 'authenticated', errors: ['SIGN_IN_REQUIRED', 'RATE_LIMITED'] },
    schema: {
      operationId: 'exportMe',
      summary: 'Export everything stored about the current user',
      description:
        'Amounts are in the currency of the call. Mails and events about the mailbox or the address are left out until the address is proven. After that, a token from a magic-link or Google sign-in is required.',
      tags: ['Users'],
      'x-beyond-specification': true,
      response: { 200: ExportAnswer },
    },
    async handler(request, reply) {
      const caller = callerOf(request)
      requirePersonIfClaimed(caller, caller.account)
      await rateLimits
        .count(reply, ['export', limitKeyOf(caller)])
        .catch(noteLimitHit(failureLog, request, { by: 'id', value: caller.userId }))
      const { userId } = caller
      const identities = await findIdentitiesOf(db, userId)
      const user = await withAuthority(deps, caller, async (trx, locked) => {
        await recordRepeatedEvent(trx, deps, { userId, type: 'exported' }, request)
        return locked
      })
      const { signInLinks, mailButtons, queuedMails, mailPause } = await findMailed(db, user)
      const nowMs = clock.now()
      const hiddenTypes = user.claimed_at_ms === null ? hiddenUntilClaimed : []
      // Every page is sent only if the token is still in force after the read. A caller from before a claim must not
      // see what the owner added since, and the export of a deleted account must stop.
      const check = () => requireValidToken(deps, caller)
      await check()
      const fields: Record<keyof Exported, unknown> = {
        user: toExportedUser(user),
        identities: identities.map(toExportedIdentity),
        apiKeys: pagesOf(
          check,
          (after: ApiKey | undefined) => findAllKeysOfUser(db, userId, { after, limit: PAGE_SIZE }),
          (key) => toExportedKey(key, nowMs),
        ),
        keyMakers: pagesOf(check, (after) => findMakers(db, userId, { after, limit: PAGE_SIZE }), toExportedMaker),
        events: pagesOf(
          check,
          (after) => findEvents(db, userId, { after: positionOf(after), limit: PAGE_SIZE, hiddenTypes }),
          toEventAnswer,
        ),
        paymentLinks: paymentLinkPages(deps, { userId, currency: request.currency, nowMs }, check),
        signInLinks,
        mailButtons,
        queuedMails,
        mailPause,
      }
      reply.header('content-disposition', 'attachment; filename="account.json"')
      reply.type('application/json; charset=utf-8')
      return reply.send(jsonStream(fields) as never)
    },
  })
}

const positionOf = (event: SecurityEvent | undefined) => event && { atMs: event.at_ms, id: event.id }

/** @param read returns the rows that follow `after` */
async function* pagesOf<Row, A>(
  check: () => Promise<void>,
  read: (after: Row | undefined) => Promise<Row[]>,
  toAnswer: (row: Row) => A,
): AsyncGenerator<A[]> {
  for (let after: Row | undefined; ;) {
    const page = await read(after)
    await check()
    yield page.map(toAnswer)
    after = page.at(-1)
    if (page.length < PAGE_SIZE) return
  }
}

async function* paymentLinkPages(
  deps: Deps,
  { userId, currency, nowMs }: Readonly<{ userId: string; currency: Currency; nowMs: number }>,
  check: () => Promise<void>,
) {
  const query = { limit: PAGE_SIZE, nowMs, status: undefined, reference: undefined }
  for (let after: Position | undefined; ;) {
    const { links, next } = await findPaymentLinks(deps.db, userId, { ...query, after })
    const rates = await findUsableRates(deps, deps.db, links, currency)
    await check()
    yield links.map((link) => toExportedPaymentLink(link, { currency, rates, nowMs }))
    after = next
    if (after === undefined) return
  }
}

/** Empty until the address is proven: before that, the caller may not be the holder of the mailbox. */
async function findMailed(
  db: Queries,
  { email, claimed_at_ms }: User,
): Promise<Pick<Exported, 'signInLinks' | 'mailButtons' | 'queuedMails' | 'mailPause'>> {
  if (claimed_at_ms === null) return { signInLinks: [], mailButtons: [], queuedMails: [], mailPause: null }
  const links = await findLinksOf(db, email)
  const buttons = await findButtonsOf(db, email)
  const mails = await findMailsTo(db, email)
  const pause = await findPause(db, email)
  return {
    signInLinks: links.map(toExportedLink),
    mailButtons: buttons.map(toExportedButton),
    queuedMails: mails.map(toExportedMail),
    mailPause: pause === undefined ? null : toExportedPause(pause),
  }
}
