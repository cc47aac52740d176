/** The forms of an account's rows in its export: everything stored except the hashes of secrets. */
import { toIso, toIsoOrNull } from '../../lib/clock.ts'
import { displayEmailAddress } from '../../lib/text/email-address.ts'
import { identitiesBefore } from '../address-change/address-change-store.ts'
import type { AddressChange } from '../address-change/address-change-store.ts'
import type { Identity } from '../google/identity-store.ts'
import type { DailyUse } from '../keys/daily-uses/daily-use-store.ts'
import { describeKey } from '../keys/describe-key.ts'
import type { KeyMaker } from '../keys/key-maker-store.ts'
import type { ApiKey } from '../keys/key-store.ts'
import type { KeyAmount } from '../keys/restrictions/restriction-store.ts'
import type { MailButton, MailPause } from '../mails/mail-button-store.ts'
import type { QueuedMail } from '../mails/mail-queue-store.ts'
import { toAmounts } from '../payment-links/amounts.ts'
import type { ReferenceRates } from '../payment-links/conversion.ts'
import type { Currency } from '../payment-links/currency.ts'
import { statusOfPaymentLink } from '../payment-links/payment-link-store.ts'
import type { PaymentLink } from '../payment-links/payment-link-store.ts'
import type { MagicLink } from '../sign-in/magic-link-store.ts'
import type { SignIn } from '../sign-in/sign-in-store.ts'
import type { User } from './user-store.ts'

export const toExportedUser = ({ id, email, role, name, locale, ...user }: User) => ({
  id,
  email: displayEmailAddress(email),
  role,
  name,
  locale,
  tokenVersion: user.token_version,
  createdAt: toIso(user.created_at_ms),
  claimedAt: toIsoOrNull(user.claimed_at_ms),
})

export const toExportedSignIn = ({ id, method, browser, client, ...signIn }: SignIn) => ({
  id,
  method,
  tokenVersion: signIn.token_version,
  createdAt: toIso(signIn.created_at_ms),
  expiresAt: toIso(signIn.expires_at_ms),
  lastSeenAt: toIso(signIn.last_seen_at_ms),
  endedAt: toIsoOrNull(signIn.ended_at_ms),
  browser,
  client,
  isNewBrowser: signIn.is_new_browser === 1,
})

export const toExportedIdentity = ({ issuer, subject, email, ...identity }: Identity) => ({
  issuer,
  subject,
  email: displayEmailAddress(email),
  connectedAt: toIso(identity.connected_at_ms),
  signInId: identity.sign_in_id,
})

export const toExportedAddressChange = (change: AddressChange) => ({
  oldEmail: displayEmailAddress(change.old_email),
  newEmail: displayEmailAddress(change.new_email),
  signInId: change.sign_in_id,
  askedAt: toIso(change.asked_at_ms),
  expiresAt: toIso(change.expires_at_ms),
  confirmedAt: toIsoOrNull(change.confirmed_at_ms),
  undoUntil: toIsoOrNull(change.undo_until_ms),
  endedAt: toIsoOrNull(change.ended_at_ms),
  deletionAskedAt: toIsoOrNull(change.deletion_asked_at_ms),
  identities: identitiesBefore(change).map(toExportedIdentity),
})

export const toExportedKey = (key: ApiKey, nowMs: number) => ({
  ...describeKey(key, nowMs),
  kind: key.kind,
  clientId: key.client_id,
  resource: key.resource,
  lastUsedClient: key.last_used_network,
  awaitsOwnerSince: toIsoOrNull(key.awaits_owner_at_ms),
  rotatedAt: toIsoOrNull(key.rotated_at_ms),
  previousSecretUntil: toIsoOrNull(key.previous_secret_until_ms),
  weekNoticeAt: toIsoOrNull(key.week_notice_at_ms),
  dayNoticeAt: toIsoOrNull(key.day_notice_at_ms),
})

export const toExportedMaker = (maker: KeyMaker) => ({
  apiKeyId: maker.key_id,
  how: maker.how,
  makerApiKeyId: maker.maker_key_id,
  signInId: maker.sign_in_id,
  at: toIso(maker.at_ms),
  lastAt: toIsoOrNull(maker.last_at_ms),
})

export const toExportedAmount = ({ key_id, day, currency, amount }: KeyAmount) => ({
  apiKeyId: key_id,
  day,
  currency,
  amount,
})

export const toExportedUse = ({ key_id: apiKeyId, day, exchanges, refusals }: DailyUse) => ({
  apiKeyId,
  day,
  exchanges,
  refusals,
})

export const toExportedButton = (button: MailButton) => ({
  action: button.action,
  mailKind: button.mail_kind,
  mailedAt: toIso(button.mailed_at_ms),
  expiresAt: toIso(button.expires_at_ms),
  signInId: button.sign_in_id,
  tellsSince: toIsoOrNull(button.tells_since_ms),
  usedAt: toIsoOrNull(button.used_at_ms),
})

export const toExportedMail = ({ kind, locale, attempts, ...mail }: QueuedMail) => ({
  kind,
  locale,
  redirectTo: mail.redirect_to,
  createdAt: toIso(mail.created_at_ms),
  tellsSince: toIsoOrNull(mail.tells_since_ms),
  dueAt: toIso(mail.due_at_ms),
  attempts,
})

export const toExportedPause = (pause: MailPause) => ({
  pausedAt: toIso(pause.paused_at_ms),
  mailedAt: toIsoOrNull(pause.mailed_at_ms),
})

export const toExportedLink = (link: MagicLink) => ({
  expiresAt: toIso(link.expires_at_ms),
  redirectTo: link.redirect_to,
})

export const toExportedPaymentLink = (
  link: PaymentLink,
  { currency, rates, nowMs }: Readonly<{ currency: Currency; rates: ReferenceRates; nowMs: number }>,
) => ({
  id: link.id,
  title: link.title,
  reference: link.reference,
  status: statusOfPaymentLink(link, nowMs),
  ...toAmounts(link, currency, rates),
  apiKeyId: link.api_key_id,
  createdAt: toIso(link.created_at_ms),
  expiresAt: toIsoOrNull(link.expires_at_ms),
  deactivatedAt: toIsoOrNull(link.deactivated_at_ms),
})
