/** Links and mail buttons that are stored without a mail, for accounts with very many rows. */
import { insertPendingChange } from '../../../src/domain/address-change/address-change-store.ts'
import type { AddressChange } from '../../../src/domain/address-change/address-change-store.ts'
import { insertButton } from '../../../src/domain/mails/mail-button-store.ts'
import { insertLink } from '../../../src/domain/sign-in/magic-link-store.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import { systemRandom } from '../../../src/lib/random.ts'
import type { LargeAccount } from '../database/large-account.ts'
import type { Call, Service } from '../service.ts'

export async function liveLink({ db, clock }: Service, { email }: LargeAccount): Promise<string> {
  const token = systemRandom.bytes(32).toString('base64url')
  const link = { token_hash: sha256(token), email, redirect_to: null, expires_at_ms: clock.now() + 600_000 }
  await db.transaction((trx) => insertLink(trx, link))
  return token
}

export async function button(
  { db, clock }: Service,
  { email }: Pick<LargeAccount, 'email'>,
  action: 'not_me' | 'resume_mail' | 'confirm_email' | 'undo_email',
): Promise<string> {
  const token = systemRandom.bytes(32).toString('base64url')
  const nowMs = clock.now()
  await db.transaction((trx) =>
    insertButton(trx, {
      token_hash: sha256(token),
      action,
      email,
      mail_kind: 'security_notice',
      mailed_at_ms: nowMs,
      expires_at_ms: nowMs + 600_000,
      // A week old, like everything that was seeded.
      link_hash: null,
      sign_in_id: null,
      tells_since_ms: nowMs - 7 * 24 * 3600 * 1000,
      used_at_ms: null,
    }),
  )
  return token
}

/** A change of the account's address a week ago, and the button that undoes it. */
export async function undoButton(service: Service, { id, email }: LargeAccount): Promise<string> {
  const oldEmail = `former-${email}`
  const nowMs = service.clock.now()
  await insertChange(service, { user_id: id, old_email: oldEmail, new_email: email, undo_until_ms: nowMs + 600_000 })
  return button(service, { email: oldEmail }, 'undo_email')
}

/** The call that confirms a change of the account's address. */
export async function confirmation(service: Service, { id }: LargeAccount, newEmail: string): Promise<Call> {
  const { db, deps } = service
  const user = await db.query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const { email, token_version: tokenVersion, role } = user
  const lifetimeSeconds = 7 * 24 * 3600
  const token = deps.accessTokens.issue({ userId: id, role, tokenVersion, amr: 'magic_link', lifetimeSeconds })
  const signInId = deps.accessTokens.verify(token)?.jti ?? ''
  const change = { user_id: id, sign_in_id: signInId, old_email: email, new_email: newEmail }
  await insertChange(service, { ...change, token_version: tokenVersion })
  return {
    token,
    body: { token: await button(service, { email: newEmail }, 'confirm_email') },
  }
}

async function insertChange(
  { db, clock }: Service,
  change: Pick<AddressChange, 'user_id' | 'old_email' | 'new_email'> & Partial<AddressChange>,
): Promise<void> {
  const nowMs = clock.now()
  const row: AddressChange = {
    id: systemRandom.plainUuid(),
    sign_in_id: 'a-sign-in',
    token_version: 0,
    asked_at_ms: nowMs - 7 * 24 * 3600 * 1000,
    expires_at_ms: nowMs + 600_000,
    confirmed_at_ms: change.undo_until_ms === undefined ? null : nowMs,
    undo_until_ms: null,
    ended_at_ms: null,
    deletion_asked_at_ms: null,
    identities: '[]',
    kept_until_ms: nowMs + 600_000,
    ...change,
  }
  await db.transaction((trx) => insertPendingChange(trx, row))
}
