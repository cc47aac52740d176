/** `POST /auth/links/not-me`: the holder of a mailbox says that a mail was not theirs; what came of it is undone. */
import { recordEvent } from '../../accounts/events.ts'
import { quarantineKeys } from '../../accounts/key-store.ts'
import type { KeySelection } from '../../accounts/key-store.ts'
import { deleteLinksOf } from '../../accounts/link-store.ts'
import { incrementTokenVersion, lockUser } from '../../accounts/user-store.ts'
import type { User } from '../../accounts/user-store.ts'
import { inTransaction } from '../../db/db.ts'
import type { DbTransaction } from '../../db/db.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { sha256 } from '../../lib/hash.ts'
import { clientNetwork } from '../../lib/network.ts'
import { findAction, findPause, insertPause, markUsed } from '../../mail/action-store.ts'
import type { MailedAction } from '../../mail/action-store.ts'
import { deleteMailsTo } from '../../mail/mail-store.ts'
import { ButtonAnswer, ButtonBody } from './button.ts'

/** Adds the endpoint. */
export const notMe: Endpoint = (app, deps) => {
  const { db, clock, rateLimits } = deps

  app.post('/auth/links/not-me', {
    config: { access: 'public', crossSite: 'refused', errors: ['LINK_INVALID', 'RATE_LIMITED'] },
    schema: {
      operationId: 'notMe',
      summary: 'Say that a mail was not caused by oneself',
      description:
        'Takes the token of a mail’s “This wasn’t you?”, valid for 7 days. Voids the address’s links and pauses the mails that others can cause; where the link of that mail was used, signs that user out everywhere and lets the keys made by that sign-in wait for the owner. A second time changes nothing.',
      tags: ['Magic link'],
      'x-beyond-specification': true,
      body: ButtonBody,
      response: { 200: ButtonAnswer },
    },
    async handler(request, reply) {
      const tokenHash = sha256(request.body.token)
      const isKnown = await inTransaction(db, async (trx) => {
        const nowMs = clock.now()
        const action = await findAction(trx, 'not_me', tokenHash, nowMs)
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
          await undo(trx, user, (await findAction(trx, 'not_me', tokenHash, nowMs)) ?? action, nowMs)
          await recordEvent(trx, deps, { userId: user.id, type: 'not_me', detail: action.mail_kind }, request)
        }
        return true
      })
      if (!isKnown) {
        await rateLimits.count(reply, ['sign-in-failures', clientNetwork(request.ip)])
        throw new ApiError('LINK_INVALID')
      }
      return { ok: true }
    },
  })
}

async function undo(trx: DbTransaction, user: User, action: MailedAction, nowMs: number): Promise<void> {
  const keys = keysToUndo(user, action)
  if (keys === undefined) return
  const waiting = await quarantineKeys(trx, user.id, keys, nowMs)
  // A notice may have told of keys that are gone: then there is nobody to sign out.
  if (waiting > 0 || action.sign_in_id !== null) await incrementTokenVersion(trx, user.id)
}

function keysToUndo(user: User, action: MailedAction): KeySelection | undefined {
  if (action.sign_in_id !== null) return { signInId: action.sign_in_id }
  if (action.tells_since_ms !== null) {
    return { secretFromMs: action.tells_since_ms, secretUntilMs: action.mailed_at_ms }
  }
  // The notice of a signup: while nobody has proven the address, everything is whoever's signed up.
  return action.mail_kind === 'signup_notice' && user.claimed_at_ms === null ? 'all' : undefined
}
