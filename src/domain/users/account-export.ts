/** Everything stored about an account, read page by page (GDPR, article 20). */
import type { Database, Queries } from '../../database/database.ts'
import type { Position } from '../../lib/position.ts'
import { findChangesOf } from '../address-change/address-change-store.ts'
import type { DomainDeps } from '../deps.ts'
import { describeEvent } from '../events/describe-event.ts'
import { findEvents } from '../events/event-store.ts'
import type { SecurityEvent } from '../events/event-store.ts'
import { hiddenUntilClaimed } from '../events/security-events.ts'
import { findIdentitiesOf } from '../google/identity-store.ts'
import { findDailyUsesOfUser } from '../keys/daily-uses/daily-use-store.ts'
import { findMakers } from '../keys/key-maker-store.ts'
import { findAllKeysOfUser } from '../keys/key-store.ts'
import type { ApiKey } from '../keys/key-store.ts'
import { findAmountsOf } from '../keys/restrictions/restriction-store.ts'
import { findButtonsOf, findPause } from '../mails/mail-button-store.ts'
import { findMailsTo } from '../mails/mail-queue-store.ts'
import type { Currency } from '../payment-links/currency.ts'
import { findPaymentLinks } from '../payment-links/payment-link-store.ts'
import { findUsableRates } from '../payment-links/usable-rates.ts'
import { findLinksOf } from '../sign-in/magic-link-store.ts'
import { findSignInPage } from '../sign-in/sign-in-store.ts'
import {
  toExportedAddressChange,
  toExportedAmount,
  toExportedButton,
  toExportedIdentity,
  toExportedKey,
  toExportedLink,
  toExportedMail,
  toExportedMaker,
  toExportedPause,
  toExportedPaymentLink,
  toExportedSignIn,
  toExportedUse,
  toExportedUser,
} from './exported-rows.ts'
import type { User } from './user-store.ts'

/** Rows read into memory, and serialised without yielding to the event loop, at a time. */
const PAGE_SIZE = 200

type ExportDeps = Pick<DomainDeps, 'clock' | 'sampleRates'> & Readonly<{ db: Database }>

/**
 * The fields of the document; a long list is an async iterable of its pages.
 * @param currency of the amounts
 * @param check called after each read and before its rows are passed on; it throws to stop
 */
export async function exportAccount(deps: ExportDeps, user: User, currency: Currency, check: () => Promise<void>) {
  const { db, clock } = deps
  const userId = user.id
  const nowMs = clock.now()
  const hiddenTypes = user.claimed_at_ms === null ? hiddenUntilClaimed : []
  const identities = await findIdentitiesOf(db, userId)
  const amounts = await findAmountsOf(db, userId)
  const mailed = await findMailed(db, user)
  await check()
  return {
    user: toExportedUser(user),
    signIns: pagesOf(check, (after) => findSignInPage(db, userId, { after, limit: PAGE_SIZE }), toExportedSignIn),
    identities: identities.map(toExportedIdentity),
    addressChanges: (await findChangesOf(db, userId)).map(toExportedAddressChange),
    apiKeys: pagesOf(
      check,
      (after: ApiKey | undefined) => findAllKeysOfUser(db, userId, { after, limit: PAGE_SIZE }),
      (key) => toExportedKey(key, nowMs),
    ),
    keyMakers: pagesOf(check, (after) => findMakers(db, userId, { after, limit: PAGE_SIZE }), toExportedMaker),
    keyAmounts: amounts.map(toExportedAmount),
    keyUses: pagesOf(check, (after) => findDailyUsesOfUser(db, userId, { after, limit: PAGE_SIZE }), toExportedUse),
    events: pagesOf(
      check,
      (after) => findEvents(db, userId, { after: positionOf(after), limit: PAGE_SIZE, hiddenTypes }),
      describeEvent,
    ),
    paymentLinks: paymentLinkPages(deps, { userId, currency, nowMs }, check),
    ...mailed,
  }
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
  deps: ExportDeps,
  { userId, currency, nowMs }: Readonly<{ userId: string; currency: Currency; nowMs: number }>,
  check: () => Promise<void>,
) {
  const query = { limit: PAGE_SIZE, nowMs, status: undefined, reference: undefined, search: undefined }
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
async function findMailed(db: Queries, { email, claimed_at_ms }: User) {
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
