/** Calls of every store function, with arguments that reach all of its statements. */
import * as answers from '../../../src/domain/idempotency/idempotency-store.ts'
import * as addressChanges from '../../../src/domain/address-change/address-change-store.ts'
import * as events from '../../../src/domain/events/event-store.ts'
import * as identities from '../../../src/domain/google/identity-store.ts'
import * as links from '../../../src/domain/sign-in/magic-link-store.ts'
import * as paymentLinkEnds from '../../../src/domain/payment-links/payment-link-end-store.ts'
import * as paymentLinks from '../../../src/domain/payment-links/payment-link-store.ts'
import * as signIns from '../../../src/domain/sign-in/sign-in-store.ts'
import * as spent from '../../../src/domain/sign-in/spent-credential-store.ts'
import * as tokenStates from '../../../src/domain/users/user-token-state-store.ts'
import * as changes from '../../../src/domain/users/account-change-store.ts'
import * as unclaimed from '../../../src/domain/users/user-unclaimed-store.ts'
import * as users from '../../../src/domain/users/user-store.ts'
import type { Queries, Transaction } from '../../../src/database/database.ts'
import type { Tables } from '../../../src/database/tables/tables.ts'
import * as rates from '../../../src/domain/payment-links/exchange-rate-store.ts'
import { systemRandom } from '../../../src/lib/random.ts'
import { addressChangeCalls } from './address-change-calls.ts'
import { keyStoreCalls, keyStores } from './key-store-calls.ts'
import { dailyUseCalls, dailyUseStores } from './daily-use-calls.ts'
import { mailStoreCalls, mailStores } from './mail-store-calls.ts'
import type { StoreCalls } from './mail-store-calls.ts'
import { oauthStoreCalls, oauthStores } from './oauth-store-calls.ts'

export type { StoreCalls } from './mail-store-calls.ts'

export const stores: Readonly<Record<string, object>> = {
  'src/domain/address-change/address-change-store.ts': addressChanges,
  'src/domain/events/event-store.ts': events,
  'src/domain/idempotency/idempotency-store.ts': answers,
  'src/domain/google/identity-store.ts': identities,
  ...dailyUseStores,
  'src/domain/sign-in/magic-link-store.ts': links,
  'src/domain/payment-links/payment-link-store.ts': paymentLinks,
  'src/domain/payment-links/payment-link-end-store.ts': paymentLinkEnds,
  'src/domain/sign-in/sign-in-store.ts': signIns,
  'src/domain/sign-in/spent-credential-store.ts': spent,
  'src/domain/users/user-token-state-store.ts': tokenStates,
  'src/domain/users/user-store.ts': users,
  'src/domain/users/user-unclaimed-store.ts': unclaimed,
  'src/domain/users/account-change-store.ts': changes,
  'src/domain/payment-links/exchange-rate-store.ts': rates,
  ...mailStores,
  ...oauthStores,
  ...keyStores,
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
    signIn: await one('sign_ins'),
    identity: await one('identities'),
    maker: await one('key_makers'),
    button: await one('mail_buttons'),
    mail: await one('queued_mails'),
    paymentLink: await one('payment_links'),
    answer: await one('idempotency_keys'),
    change: await one('address_changes'),
    amount: await one('key_amounts'),
    request: await one('authorization_requests'),
  }
}

export async function storeCalls(db: Queries, nowMs: number): Promise<Record<string, StoreCalls>> {
  const { user, key, event, signIn, identity, maker, button, mail, paymentLink, answer, change, amount, request } =
    await sample(db)
  const { id, email } = user
  const fresh = () => systemRandom.bytes(32).toString('hex')
  const span = { fromMs: nowMs - DAY_MS, beforeMs: nowMs }
  const page = { after: undefined, limit: 50, hiddenTypes: [] }
  const link = { token_hash: fresh(), email, redirect_to: null, expires_at_ms: nowMs + MINUTE_MS }
  const linkPage = { after: undefined, limit: 51, nowMs, status: undefined, reference: undefined, search: undefined }
  const behind = { atMs: paymentLink.created_at_ms, id: paymentLink.id }

  return {
    ...dailyUseCalls(key),
    ...oauthStoreCalls(request, nowMs),
    'src/domain/events/event-store.ts': {
      insertEvent: (trx) => events.insertEvent(trx, { ...event, id: fresh() }),
      findEvents: [
        (trx) => events.findEvents(trx, id, page),
        (trx) => events.findEvents(trx, id, { ...page, hiddenTypes: ['not_me', 'limit_hit'] }),
        (trx) => events.findEvents(trx, id, { ...page, after: { atMs: nowMs - DAY_MS, id: event.id } }),
      ],
      findEventsOfTypes: [undefined, { atMs: nowMs - DAY_MS, id: event.id }].flatMap((after) =>
        [['not_me'], ['signed_in', 'limit_hit', 'renamed']].map(
          (types) => (trx: Transaction) => events.findEventsOfTypes(trx, id, { after, limit: 51, types }),
        ),
      ),
      findCreationEvent: (trx) => events.findCreationEvent(trx, id),
      findEventsSince: (trx) => events.findEventsSince(trx, id, ['signed_in'], nowMs - DAY_MS),
      findEventsBetween: (trx) => events.findEventsBetween(trx, id, ['limit_hit'], span),
      findLeakedKeys: (trx) => events.findLeakedKeys(trx, id, span),
      findEventsOfAllUsersSince: (trx) => events.findEventsOfAllUsersSince(trx, nowMs - DAY_MS, SOME),
      findEventTimeAfterNewest: (trx) => events.findEventTimeAfterNewest(trx, id, SOME, nowMs),
      deleteEventsUntil: (trx) => events.deleteEventsUntil(trx, id, nowMs - DAY_MS, SOME),
      findBrowsersSignedIn: (trx) => events.findBrowsersSignedIn(trx, id, nowMs - 90 * DAY_MS),
      incrementTimes: (trx) => events.incrementTimes(trx, event.id, { more: 2, browser: null }),
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
    ...keyStoreCalls({ userId: id, key, maker, amount, nowMs }),
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
          [null, paymentLink.reference].flatMap((reference) =>
            [undefined, 'text'].map((search) => (trx: Transaction) => {
              const asked = {
                after,
                status: status as paymentLinks.PaymentLinkStatus | undefined,
                reference: reference ?? undefined,
                search,
              }
              return paymentLinks.findPaymentLinks(trx, paymentLink.user_id, { ...linkPage, ...asked })
            }),
          ),
        ),
      ),
      findPaymentLink: [
        (trx) => paymentLinks.findPaymentLink(trx, paymentLink.id),
        (trx) => paymentLinks.findPaymentLink(trx, paymentLink.id, paymentLink.user_id),
      ],
      findRequestedPayment: (trx) => paymentLinks.findRequestedPayment(trx, paymentLink.id),
      countPaymentLinks: (trx) => paymentLinks.countPaymentLinks(trx, paymentLink.user_id, 0, SOME),
    },
    'src/domain/payment-links/payment-link-end-store.ts': {
      deactivatePaymentLink: (trx) =>
        paymentLinkEnds.deactivatePaymentLink(trx, paymentLink.user_id, paymentLink.id, nowMs),
      findEndedLinks: (trx) => paymentLinkEnds.findEndedLinks(trx, nowMs - 400 * DAY_MS, SOME),
      deletePaymentLinks: (trx) => paymentLinkEnds.deletePaymentLinks(trx, [paymentLink.id, fresh()]),
      deactivateLinksOfKeys: (trx) => paymentLinkEnds.deactivateLinksOfKeys(trx, [key.id, fresh()], nowMs, SOME),
    },
    'src/domain/sign-in/sign-in-store.ts': {
      insertSignIn: (trx) => signIns.insertSignIn(trx, { ...signIn, id: fresh() }),
      findLiveSignIns: (trx) => signIns.findLiveSignIns(trx, { user, nowMs, idleSinceMs: nowMs - DAY_MS }),
      findSignIns: (trx) => signIns.findSignIns(trx, signIn.user_id, nowMs - DAY_MS),
      findSignInPage: (trx) => signIns.findSignInPage(trx, signIn.user_id, { after: signIn, limit: SOME }),
      findSignIn: (trx) => signIns.findSignIn(trx, signIn.user_id, signIn.id),
      endSignIns: (trx) => signIns.endSignIns(trx, [signIn.id, fresh()], nowMs),
      carrySignInOver: (trx) => signIns.carrySignInOver(trx, signIn.id, 1),
      recordSeen: (trx) => signIns.recordSeen(trx, new Map([signIn.id, fresh()].map((seen) => [seen, nowMs]))),
      deleteExpiredSignIns: (trx) => signIns.deleteExpiredSignIns(trx, nowMs - 5 * DAY_MS, SOME),
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
    'src/domain/users/user-unclaimed-store.ts': {
      findUnclaimedPage: [undefined, { id, created_at_ms: user.created_at_ms, isUnused: true }].map(
        (after) => (trx: Transaction) => unclaimed.findUnclaimedPage(trx, { beforeMs: nowMs, after, limit: SOME }),
      ),
      isUnclaimedAndUnused: (trx) => unclaimed.isUnclaimedAndUnused(trx, id, nowMs),
    },
    'src/domain/users/user-store.ts': {
      insertUser: (trx) => users.insertUser(trx, { ...user, id: fresh(), email: 'somebody-new@example.com' }),
      lockUser: [(trx) => users.lockUser(trx, 'id', id), (trx) => users.lockUser(trx, 'email', email)],
      findUser: (trx) => users.findUser(trx, id),
      findUsers: (trx) => users.findUsers(trx, '', SOME),
      setDisabled: (trx) => users.setDisabled(trx, id, nowMs),
      findUserByEmail: (trx) => users.findUserByEmail(trx, email),
      renameUser: (trx) => users.renameUser(trx, id, 'Ana'),
      setEmail: (trx) => users.setEmail(trx, id, 'somebody-else@example.com'),
      incrementTokenVersion: (trx) => users.incrementTokenVersion(trx, id),
      claimUser: (trx) => users.claimUser(trx, id, nowMs),
      setPaymentLinkCount: (trx) => users.setPaymentLinkCount(trx, id, 1),
      setLocale: (trx) => users.setLocale(trx, id, 'ro'),
      eraseUser: (trx) => users.eraseUser(trx, id, nowMs),
    },
    'src/domain/users/user-token-state-store.ts': {
      findTokenState: [
        (trx) => tokenStates.findTokenState(trx, { userId: id, apiKeyId: key.id, signInId: null, nowMs }),
        (trx) => tokenStates.findTokenState(trx, { userId: id, apiKeyId: null, signInId: null, nowMs }),
        (trx) => tokenStates.findTokenState(trx, { userId: id, apiKeyId: null, signInId: signIn.id, nowMs }),
      ],
    },
    'src/domain/payment-links/exchange-rate-store.ts': {
      upsertRates: (trx) => rates.upsertRates(trx, [{ currency: 'EUR', date: '2026-11-20', ronPerUnit: '5' }]),
      findLatestRates: (trx) => rates.findLatestRates(trx, '2026-11-13'),
    },
    ...addressChangeCalls({ id, email, change, nowMs }),
    ...mailStoreCalls({ email, button, mail, nowMs }),
  }
}
