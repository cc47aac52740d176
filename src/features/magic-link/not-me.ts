/** `POST /auth/links/not-me`: the holder of a mailbox says that a mail was not theirs; what came of it is undone. */
import { findEventsSince } from '../../accounts/event-store.ts'
import { recordEvent } from '../../accounts/events.ts'
import { familyOf, familyOfSignIns, familyOfTime } from '../../accounts/key-family.ts'
import { deleteIdentitiesOf } from '../../accounts/identity-store.ts'
import { findMakers } from '../../accounts/key-maker-store.ts'
import { quarantineKeys } from '../../accounts/key-store.ts'
import { deleteLinksOf } from '../../accounts/link-store.ts'
import { incrementTokenVersion, lockUser } from '../../accounts/user-store.ts'
import type { User } from '../../accounts/user-store.ts'
import type { DbTransaction } from '../../db/db.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { findButton, findPause, insertPause, markUsed } from '../../mail/button-store.ts'
import type { MailButton } from '../../mail/button-store.ts'
import { deleteMailsTo } from '../../mail/mail-store.ts'
import { ButtonAnswer, ButtonBody, pressButton } from './button.ts'

/** Adds the endpoint. */
export const notMe: Endpoint = (app, deps) => {
  const { clock } = deps

  app.post('/auth/links/not-me', {
    config: { access: 'public', crossSite: 'refused', errors: ['LINK_INVALID', 'RATE_LIMITED'] },
    schema: {
      operationId: 'notMe',
      summary: 'Say that a mail was not caused by oneself',
      description:
        'Takes the token of a mail’s “This wasn’t you?”, valid for 7 days. Voids the address’s links and pauses the mails that others can cause; signs the user out everywhere and lets keys wait for the owner, as far as they came of that mail: what the sign-in by its link made, what it told of and what belongs to that, a Google account that it told of and what was made since, and everything of an account that nobody has claimed where it told of the signup. A second time changes nothing.',
      tags: ['Magic link'],
      'x-beyond-specification': true,
      body: ButtonBody,
      response: { 200: ButtonAnswer },
    },
    async handler(request, reply) {
      return pressButton(deps, request, reply, async (trx, tokenHash) => {
        const nowMs = clock.now()
        const action = await findButton(trx, 'not_me', tokenHash, nowMs)
        if (action === undefined) return false
        // Each mail's button acts once: somebody who has an old mail must not void every new link.
        if (action.used_at_ms !== null) return true

        const pause = await findPause(trx, action.email)
        // What was out when a pause began is void already. What came after it is voided from no older
        // mail: somebody who has several of those must not void the one link of the day either.
        if (pause === undefined || action.mailed_at_ms >= pause.paused_at_ms) {
          await deleteLinksOf(trx, action.email)
          await deleteMailsTo(trx, action.email, 'sign_in')
        }
        const user = await lockUser(trx, 'email', action.email)
        if (!(await markUsed(trx, tokenHash, nowMs))) return true
        await insertPause(trx, action.email, nowMs)
        if (user !== undefined) {
          // Read again under the lock: its link may have been used meanwhile.
          await undo(trx, user, (await findButton(trx, 'not_me', tokenHash, nowMs)) ?? action, nowMs)
          await recordEvent(trx, deps, { userId: user.id, type: 'not_me', detail: action.mail_kind }, request)
        }
        return true
      })
    },
  })
}

async function undo(trx: DbTransaction, user: User, button: MailButton, nowMs: number): Promise<void> {
  const isGoogle = button.mail_kind === 'google_notice'
  // The notice of a signup: while nobody has proven the address, everything is whoever's signed up.
  const isAll = button.mail_kind === 'signup_notice' && user.claimed_at_ms === null
  if (isAll) await deleteIdentitiesOf(trx, user.id)
  if (isGoogle) await deleteIdentitiesOf(trx, user.id, button.tells_since_ms ?? 0)
  const ids = isAll ? undefined : await keysToUndo(trx, user, button, nowMs)
  if (ids?.size === 0 && button.sign_in_id === null && !isGoogle) return
  await quarantineKeys(trx, user.id, nowMs, ids)
  await incrementTokenVersion(trx, user.id)
}

async function keysToUndo(
  trx: DbTransaction,
  user: User,
  button: MailButton,
  nowMs: number,
): Promise<Set<string>> {
  const makers = await findMakers(trx, user.id)
  if (button.sign_in_id !== null) return familyOfSignIns(makers, new Set([button.sign_in_id]))
  const { tells_since_ms: fromMs, mailed_at_ms: untilMs } = button
  if (fromMs === null) return new Set()
  // Who connected a Google account could sign in until now.
  if (button.mail_kind === 'google_notice') return familyOfTime(makers, fromMs, nowMs)
  // A leaked key is revoked; what was made with it is not.
  const leaks = await findEventsSince(trx, user.id, ['key_leaked'], fromMs)
  const leaked = leaks.filter(({ at_ms: atMs }) => atMs <= untilMs).map((leak) => leak.api_key_id ?? '')
  return new Set([...familyOfTime(makers, fromMs, untilMs), ...familyOf(makers, leaked)])
}
