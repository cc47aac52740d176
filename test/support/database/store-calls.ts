/** Calls of every store function, with arguments that reach all of its statements. */
import * as answers from '../../../src/domain/idempotency/idempotency-store.ts'
import * as events from '../../../src/domain/events/event-store.ts'
import * as identities from '../../../src/domain/google/identity-store.ts'
import * as makers from '../../../src/domain/keys/key-maker-store.ts'
import * as keyEnds from '../../../src/domain/keys/key-end-store.ts'
import * as keyExchange from '../../../src/domain/keys/key-exchange-store.ts'
import * as keys from '../../../src/domain/keys/key-store.ts'
import * as links from '../../../src/domain/sign-in/magic-link-store.ts'
import * as paymentLinks from '../../../src/domain/payment-links/payment-link-store.ts'
import * as spent from '../../../src/domain/sign-in/spent-credential-store.ts'
import * as changes from '../../../src/domain/users/account-change-store.ts'
import * as users from '../../../src/domain/users/user-store.ts'
import type { Queries, Transaction } from '../../../src/database/database.ts'
import type { Tables } from '../../../src/database/tables/tables.ts'
import * as rates from '../../../src/domain/payment-links/exchange-rate-store.ts'
import { systemRandom } from '../../../src/lib/random.ts'
import { mailStoreCalls, mailStores } from './mail-store-calls.ts'
import type { StoreCalls } from './mail-store-calls.ts'

export type { StoreCalls } from './mail-store-calls.ts'

export const stores: Readonly<Record<string, object>> = {
  'src/domain/events/event-store.ts': events,
  'src/domain/idempotency/idempotency-store.ts': answers,
  'src/domain/google/identity-store.ts': identities,
  'src/domain/keys/key-maker-store.ts': makers,
  'src/domain/keys/key-end-store.ts': keyEnds,
  'src/domain/keys/key-exchange-store.ts': keyExchange,
  'src/domain/keys/key-store.ts': keys,
  'src/domain/sign-in/magic-link-store.ts': links,
  'src/domain/payment-links/payment-link-store.ts': paymentLinks,
  'src/domain/sign-in/spent-credential-store.ts': spent,
  'src/domain/users/user-store.ts': users,
  'src/domain/users/account-change-store.ts': changes,
  'src/domain/payment-links/exchange-rate-store.ts': rates,
  ...mailStores,
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 3600 * 1000
/** 10 of ten thousand rows, in proportion to 500 of half a million: with a smaller share, a full scan is cheaper. */
const SOME = 10

/** One row of each table that the calls need, from a seeded database. */
async function sample(db: Queries) {
  const one = async <T extends keyof Tables>(table: T): Promise<Tables[T]> => {
    const row: unknown = await db.query
      .selectFrom(table as 'users')
      .selectAll()
      .executeTakeFirstOrThrow()
    return row as Tables[T]
  }
  const key = await one('api_keys')
  const user = await db.query.selectFrom('users').selectAll().where('id', '=', key.user_id).executeTakeFirstOrThrow()
  return {
    user,
    key,
    event: await one('security_events'),
    identity: await one('identities'),
    maker: await one('key_makers'),
    button: await one('mail_buttons'),
    mail: await one('queued_mails'),
    paymentLink: await one('payment_links'),
    answer: await one('idempotency_keys'),
  }
}

export async function storeCalls(db: Queries, nowMs: number): Promise<Record<string, StoreCalls>> {
  const { user, key, event, identity, maker, button, mail, paymentLink, answer } = await sample(db)
  const { id, email } = user
  const fresh = () => systemRandom.bytes(32).toString('hex')
  const span = { fromMs: nowMs - DAY_MS, beforeMs: nowMs }
  const page = { after: undefined, limit: 50, hiddenTypes: [] }
  const expiring = { afterMs: nowMs, untilMs: nowMs + 7 * DAY_MS, lifetimeOverMs: 7 * DAY_MS }
  const link = { token_hash: fresh(), email, redirect_to: null, expires_at_ms: nowMs + MINUTE_MS }
  const linkPage = { after: undefined, limit: 51, nowMs, status: undefined, reference: undefined }
  const behind = { atMs: paymentLink.created_at_ms, id: paymentLink.id }

  return {
    'src/domain/events/event-store.ts': {
      insertEvent: (trx) => events.insertEvent(trx, { ...event, id: fresh() }),
      findEvents: [
        (trx) => events.findEvents(trx, id, page),
        (trx) => events.findEvents(trx, id, { ...page, hiddenTypes: ['not_me', 'limit_hit'] }),
        (trx) => events.findEvents(trx, id, { ...page, after: { atMs: nowMs - DAY_MS, id: event.id } }),
      ],
      findEventsSince: (trx) => events.findEventsSince(trx, id, ['signed_in'], nowMs - DAY_MS),
      findEventsBetween: (trx) => events.findEventsBetween(trx, id, ['limit_hit'], span),
      findEventsOfAllUsersSince: (trx) => events.findEventsOfAllUsersSince(trx, nowMs - DAY_MS, SOME),
      findEventTimeAfterNewest: (trx) => events.findEventTimeAfterNewest(trx, id, SOME, nowMs),
      deleteEventsUntil: (trx) => events.deleteEventsUntil(trx, id, nowMs - DAY_MS, SOME),
      incrementTimes: (trx) => events.incrementTimes(trx, event.id, 2),
      deleteEventsBefore: (trx) => events.deleteEventsBefore(trx, nowMs - 300 * DAY_MS, SOME),
    },
    'src/domain/idempotency/idempotency-store.ts': {
      findAnswer: [null, nowMs].map(
        (claimed_at_ms) => (trx: Transaction) =>
          answers.findAnswer(
            trx,
            { id: answer.user_id, claimed_at_ms },
            { keyHash: answer.key_hash, unscopedHash: answer.key_hash },
            0,
          ),
      ),
      upsertAnswer: (trx) => answers.upsertAnswer(trx, { ...answer, key_hash: fresh() }),
      deleteAnswersBefore: (trx) => answers.deleteAnswersBefore(trx, nowMs, SOME),
    },
    'src/domain/google/identity-store.ts': {
      insertIdentity: (trx) => identities.insertIdentity(trx, { ...identity, subject: fresh() }),
      findIdentity: (trx) => identities.findIdentity(trx, identity.issuer, identity.subject),
      findIdentityOf: (trx) => identities.findIdentityOf(trx, id, identity.issuer),
      findIdentitiesOf: (trx) => identities.findIdentitiesOf(trx, id),
      setIdentityEmail: (trx) => identities.setIdentityEmail(trx, identity),
      deleteIdentity: (trx) => identities.deleteIdentity(trx, identity),
      deleteIdentitiesOf: (trx) => identities.deleteIdentitiesOf(trx, id),
    },
    'src/domain/keys/key-maker-store.ts': {
      recordMaker: (trx) => makers.recordMaker(trx, maker, nowMs),
      countMakers: (trx) => makers.countMakers(trx, id, 50),
      findMakersOfKeys: (trx) => makers.findMakersOfKeys(trx, [key.id, fresh()], ['created', 'rotated'], SOME),
      findKeysMadeBy: (trx) => makers.findKeysMadeBy(trx, id, [key.id, fresh()], SOME),
      deleteUnneededKept: (trx) => makers.deleteUnneededKept(trx, [key.id, fresh()]),
      deleteMakers: (trx) => makers.deleteMakers(trx, [maker.id, fresh()]),
      findMakers: [undefined, { after: undefined, limit: SOME }, { after: maker, limit: SOME }].map(
        (some) => (trx: Transaction) => makers.findMakers(trx, id, some),
      ),
      findMakersThatAreKeys: (trx) => makers.findMakersThatAreKeys(trx, id, 100),
      findMakersUpToBound: (trx) => makers.findMakersUpToBound(trx, id),
    },
    'src/domain/keys/key-end-store.ts': {
      countKeys: (trx) => keyEnds.countKeys(trx, id, 50),
      findFirstEnded: [{ expiredUntilMs: nowMs }, { expiredUntilMs: nowMs, revokedUntilMs: nowMs }].map(
        (until) => (trx: Transaction) => keyEnds.findFirstEnded(trx, id, until, SOME),
      ),
      deleteKeys: (trx) =>
        keyEnds.deleteKeys(trx, [
          { id: fresh(), revoked_at_ms: nowMs },
          { id: fresh(), revoked_at_ms: null },
        ]),
      insertRevokedKeys: (trx) => keyEnds.insertRevokedKeys(trx, [{ id: fresh(), revoked_at_ms: nowMs }]),
      findOwnersOfEndedKeys: (trx) => keyEnds.findOwnersOfEndedKeys(trx, nowMs - 180 * DAY_MS, SOME),
      findExpiring: [
        (trx) => keyEnds.findExpiring(trx, 'week_notice_at_ms', expiring, SOME),
        (trx) => keyEnds.findExpiring(trx, 'day_notice_at_ms', { ...expiring, untilMs: nowMs + DAY_MS }, SOME),
      ],
      markNoticed: (trx) => keyEnds.markNoticed(trx, 'week_notice_at_ms', [key.id, fresh()], nowMs),
    },
    'src/domain/keys/key-exchange-store.ts': {
      findKeyForExchange: (trx) => keyExchange.findKeyForExchange(trx, key.key_id),
    },
    'src/domain/keys/key-store.ts': {
      lockKeysById: (trx) => keys.lockKeysById(trx, [key.id, fresh()]),
      insertKey: (trx) => keys.insertKey(trx, { ...key, id: fresh(), key_id: fresh() }),
      findKeysOfUser: (trx) => keys.findKeysOfUser(trx, id, nowMs),
      findKeysById: (trx) => keys.findKeysById(trx, id, [key.id, fresh()]),
      setRevoked: (trx) => keys.setRevoked(trx, [key.id, fresh()], nowMs),
      findAllKeysOfUser: [undefined, { after: undefined, limit: SOME }, { after: key, limit: SOME }].map(
        (some) => (trx: Transaction) => keys.findAllKeysOfUser(trx, id, some),
      ),
      findKey: (trx) => keys.findKey(trx, id, key.id),
      findKeysBySecret: [[key.secret_hash], Array.from({ length: 20 }, fresh)].map(
        (hashes) => (trx: Transaction) => keys.findKeysBySecret(trx, hashes, nowMs),
      ),
      countLiveKeys: (trx) => keys.countLiveKeys(trx, id, nowMs),
      hasKeysAwaitingOwner: (trx) => keys.hasKeysAwaitingOwner(trx, id, nowMs),
      updateKey: (trx) => keys.updateKey(trx, key.id, { revoked_at_ms: nowMs }),
      quarantineKeys: [
        (trx) => keys.quarantineKeys(trx, id, nowMs),
        (trx) => keys.quarantineKeys(trx, id, nowMs, [key.id]),
      ],
      recordKeyUses: (trx) =>
        keys.recordKeyUses(
          trx,
          new Map([
            [key.id, nowMs],
            [fresh(), nowMs],
          ]),
        ),
    },
    'src/domain/sign-in/magic-link-store.ts': {
      insertLink: (trx) => links.insertLink(trx, link),
      deleteExpiredLinks: (trx) => links.deleteExpiredLinks(trx, nowMs, SOME),
      findLinksOf: (trx) => links.findLinksOf(trx, email),
      deleteLinksOf: (trx) => links.deleteLinksOf(trx, email),
      findLink: (trx) => links.findLink(trx, link.token_hash, nowMs),
      async consumeLink(trx) {
        await links.insertLink(trx, link)
        await links.consumeLink(trx, link.token_hash, nowMs)
      },
    },
    'src/domain/payment-links/payment-link-store.ts': {
      insertPaymentLink: (trx) => paymentLinks.insertPaymentLink(trx, { ...paymentLink, id: fresh() }),
      findPaymentLinks: [undefined, 'ACTIVE', 'INACTIVE', 'EXPIRED'].flatMap((status) =>
        [undefined, behind].flatMap((after) =>
          [null, paymentLink.reference].map((reference) => (trx: Transaction) => {
            const asked = {
              after,
              status: status as paymentLinks.PaymentLinkStatus | undefined,
              reference: reference ?? undefined,
            }
            return paymentLinks.findPaymentLinks(trx, paymentLink.user_id, { ...linkPage, ...asked })
          }),
        ),
      ),
      findPaymentLink: [
        (trx) => paymentLinks.findPaymentLink(trx, paymentLink.id),
        (trx) => paymentLinks.findPaymentLink(trx, paymentLink.id, paymentLink.user_id),
      ],
      deactivatePaymentLink: (trx) =>
        paymentLinks.deactivatePaymentLink(trx, paymentLink.user_id, paymentLink.id, nowMs),
      countPaymentLinks: (trx) => paymentLinks.countPaymentLinks(trx, paymentLink.user_id, 0, SOME),
      findEndedLinks: (trx) => paymentLinks.findEndedLinks(trx, nowMs - 400 * DAY_MS, SOME),
      deletePaymentLinks: (trx) => paymentLinks.deletePaymentLinks(trx, [paymentLink.id, fresh()]),
      deactivateLinksOfKeys: (trx) => paymentLinks.deactivateLinksOfKeys(trx, [key.id, fresh()], nowMs, SOME),
    },
    'src/domain/sign-in/spent-credential-store.ts': {
      spendAllIssuedUntil: (trx) => spent.spendAllIssuedUntil(trx, nowMs - DAY_MS),
      spendCredential: (trx) => spent.spendCredential(trx, fresh(), nowMs, nowMs - MINUTE_MS),
      deleteExpiredCredentials: (trx) => spent.deleteExpiredCredentials(trx, nowMs - DAY_MS, SOME),
    },
    'src/domain/users/account-change-store.ts': {
      recordAccountChange: (trx) => changes.recordAccountChange(trx, id, 'disabled', nowMs),
      findAccountChanges: (trx) => changes.findAccountChanges(trx, 0, SOME),
      findLastPosition: (trx) => changes.findLastPosition(trx),
      raisePosition: (trx) => changes.raisePosition(trx, 1),
    },
    'src/domain/users/user-store.ts': {
      pageOfUnclaimed: [undefined, { id, created_at_ms: user.created_at_ms, isUnused: true }].map(
        (after) => (trx: Transaction) => users.pageOfUnclaimed(trx, { beforeMs: nowMs, after, limit: SOME }),
      ),
      isUnclaimedAndUnused: (trx) => users.isUnclaimedAndUnused(trx, id, nowMs),
      insertUser: (trx) => users.insertUser(trx, { ...user, id: fresh(), email: 'somebody-new@example.com' }),
      lockUser: [(trx) => users.lockUser(trx, 'id', id), (trx) => users.lockUser(trx, 'email', email)],
      findUser: (trx) => users.findUser(trx, id),
      findUsers: (trx) => users.findUsers(trx, '', SOME),
      setDisabled: (trx) => users.setDisabled(trx, id, nowMs),
      findUserByEmail: (trx) => users.findUserByEmail(trx, email),
      renameUser: (trx) => users.renameUser(trx, id, 'Ana'),
      incrementTokenVersion: (trx) => users.incrementTokenVersion(trx, id),
      markClaimed: (trx) => users.markClaimed(trx, id, nowMs),
      setPaymentLinkCount: (trx) => users.setPaymentLinkCount(trx, id, 1),
      setLocale: (trx) => users.setLocale(trx, id, 'ro'),
      eraseUser: (trx) => users.eraseUser(trx, id, nowMs),
      findTokenState: [
        (trx) => users.findTokenState(trx, { userId: id, apiKeyId: key.id, nowMs }),
        (trx) => users.findTokenState(trx, { userId: id, apiKeyId: null, nowMs }),
      ],
    },
    'src/domain/payment-links/exchange-rate-store.ts': {
      upsertRates: (trx) => rates.upsertRates(trx, [{ currency: 'EUR', date: '2026-11-20', ronPerUnit: '5' }]),
      findLatestRates: (trx) => rates.findLatestRates(trx, '2026-11-13'),
    },
    ...mailStoreCalls({ email, button, mail, nowMs }),
  }
}
