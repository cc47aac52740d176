/** The sign-in mail: its token is made as the mail is sent, and only the token's hash is kept. */
import { sha256 } from '../../lib/hash.ts'
import type { Composer } from '../../mail/send-queue.ts'
import { signInMail } from '../../mail/templates.ts'
import { insertLink } from './link-store.ts'

/** How long a link can be used, in milliseconds (OWASP ASVS 6.5.5 allows no more than ten minutes). */
const LINK_LIFETIME_MS = 10 * 60 * 1000

/** Makes a new link for the queued request, and the mail that carries it. */
export const composeSignInMail: Composer = async ({ config, clock, random }, trx, mail) => {
  const token = random.bytes(32).toString('base64url')
  const nowMs = clock.now()
  const link = {
    token_hash: sha256(token),
    email: mail.email,
    redirect_to: mail.redirect_to,
    expires_at_ms: nowMs + LINK_LIFETIME_MS,
  }
  await insertLink(trx, link, nowMs)
  return signInMail(mail.locale, `${config.baseUrl}/auth/verify?token=${token}`)
}
