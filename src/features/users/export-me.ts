/** `GET /users/me/export`: everything held about the caller, as JSON (GDPR, article 20). */
import { callerOf, limitKeyOf, requirePersonIfClaimed, withAuthority } from '../../accounts/authenticate.ts'
import { toEventAnswer } from '../../accounts/event-answer.ts'
import { findEvents } from '../../accounts/event-store.ts'
import type { EventPosition } from '../../accounts/event-store.ts'
import { hiddenUntilClaimed, recordRepeated } from '../../accounts/events.ts'
import { noteLimitHit } from '../../accounts/failure-log.ts'
import { findIdentitiesOf } from '../../accounts/identity-store.ts'
import { findMakers } from '../../accounts/key-maker-store.ts'
import { findAllKeysOfUser } from '../../accounts/key-store.ts'
import { findLinksOf } from '../../accounts/link-store.ts'
import { findPaymentLinks } from '../../accounts/payment-link-store.ts'
import type { PaymentLinkPosition } from '../../accounts/payment-link-store.ts'
import type { User } from '../../accounts/user-store.ts'
import type { Db } from '../../db/db.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { jsonStream } from '../../http/json-stream.ts'
import { findButtonsOf, findPause } from '../../mail/button-store.ts'
import { findMailsTo } from '../../mail/mail-store.ts'
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

/** How many events, keys and payment links are in memory and written at a time. */
const PAGE = 500

/** Adds the endpoint. */
export const exportMe: Endpoint = (app, deps) => {
  const { db, clock, rateLimits, failureLog } = deps

  app.get('/users/me/export', {
    config: { access: 'authenticated', errors: ['SIGN_IN_REQUIRED', 'RATE_LIMITED'] },
    schema: {
      operationId: 'exportMe',
      summary: 'Export everything held about the current user',
      description:
        'Until the address is proven, what was mailed to it and what was done with the mailbox or the address is left out. Once it is, this takes a token from a sign-in by a person.',
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
      // Before the look at the account: what its owner connects by claiming it is not for who was there before.
      const identities = await findIdentitiesOf(db, caller.userId)
      // Whoever was there before the claim is refused here: their token is dead.
      const user = await withAuthority(deps, caller, async (trx, locked) => {
        await recordRepeated(trx, deps, { userId: locked.id, type: 'exported' }, request)
        return locked
      })
      const keys = await findAllKeysOfUser(db, user.id)
      const makers = await findMakers(db, user.id)
      const nowMs = clock.now()
      const { signInLinks, mailButtons, queuedMails, mailPause } = await findMailed(db, user)
      const fields: Record<keyof Exported, unknown> = {
        user: toExportedUser(user),
        identities: identities.map(toExportedIdentity),
        apiKeys: pagesOf(keys, (key) => toExportedKey(key, nowMs)),
        keyMakers: pagesOf(makers, toExportedMaker),
        events: await startEvents(db, user),
        paymentLinks: await startPaymentLinks(db, user, nowMs),
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

/**
 * The account's events up to now, a page at a time. The first page is read at once: what comes later,
 * while a slow caller reads, is not of the account that was looked at.
 */
async function startEvents(db: Db, { id, claimed_at_ms }: User) {
  const hiddenTypes = claimed_at_ms === null ? hiddenUntilClaimed : []
  const read = (after?: EventPosition) => findEvents(db, id, { after, limit: PAGE, hiddenTypes })
  const first = await read()
  return (async function* () {
    for (let page = first; ; ) {
      yield page.map(toEventAnswer)
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) return
      page = await read({ atMs: last.at_ms, id: last.id })
    }
  })()
}

/** The account's payment links up to now, as its events. */
async function startPaymentLinks(db: Db, { id }: User, nowMs: number) {
  const any = { limit: PAGE, nowMs, status: undefined, reference: undefined }
  const read = (after?: PaymentLinkPosition) => findPaymentLinks(db, id, { ...any, after })
  const first = await read()
  return (async function* () {
    for (let page = first; ; ) {
      yield page.map((link) => toExportedPaymentLink(link, nowMs))
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) return
      page = await read({ atMs: last.created_at_ms, id: last.id })
    }
  })()
}

/** What is mailed to an address is its holder's; before they prove it, the caller may be anybody. */
async function findMailed(
  db: Db,
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

async function* pagesOf<T, A>(all: readonly T[], toAnswer: (one: T) => A): AsyncGenerator<A[]> {
  for (let done = 0; done < all.length; done += PAGE) yield all.slice(done, done + PAGE).map(toAnswer)
}
