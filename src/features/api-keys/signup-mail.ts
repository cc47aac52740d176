/** The mail that tells the owner of an address about an account somebody made with it. */
import type { Composer } from '../../mail/send-queue.ts'
import { signupNoticeMail } from '../../mail/templates.ts'

/** Writes nothing: the mail carries no token. */
export const composeSignupMail: Composer = async ({ config }, _trx, mail) =>
  signupNoticeMail(mail.locale, { madeAtMs: mail.created_at_ms, appUrl: config.appUrl.href })
