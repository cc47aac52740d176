/** The sign-in mail: its token is created when it is sent, and only the token's hash is stored. */
import { insertLink } from '../../domain/sign-in/magic-link-store.ts'
import { findUserByEmail } from '../../domain/users/user-store.ts'
import { sha256 } from '../../lib/hash.ts'
import { addButton } from '../mail-buttons.ts'
import type { Composer } from '../queue/send-queue.ts'
import { render } from './render-mail.ts'
import { composeDisabledMail } from './disabled-mail.ts'

/** OWASP ASVS 6.5.5 allows no more than ten minutes. */
const LINK_LIFETIME_MS = 10 * 60 * 1000

const words = {
  en: {
    subject: 'Your sign-in link',
    before: ['Open this link to sign in:'],
    button: 'Sign in',
    after: [
      'It works once, within 10 minutes.',
      'If you did not ask for it, do nothing: without it nobody can sign in.',
    ],
  },
  ro: {
    subject: 'Linkul tău de autentificare',
    before: ['Deschide acest link ca să te autentifici:'],
    button: 'Autentificare',
    after: [
      'Funcționează o singură dată, timp de 10 minute.',
      'Dacă nu l-ai cerut, nu face nimic: fără el nu se poate autentifica nimeni.',
    ],
  },
}

/** A disabled account gets no link. */
export const composeSignInMail: Composer = async (deps, trx, mail) => {
  const { config, clock, random } = deps
  const user = await findUserByEmail(trx, mail.email)
  if (user !== undefined && user.disabled_at_ms !== null) return composeDisabledMail(deps, trx, mail, user)
  const token = random.bytes(32).toString('base64url')
  const tokenHash = sha256(token)
  await insertLink(trx, {
    token_hash: tokenHash,
    email: mail.email,
    redirect_to: mail.redirect_to,
    expires_at_ms: clock.now() + LINK_LIFETIME_MS,
  })
  return render(mail.locale, words, {
    main: `${config.baseUrl}/auth/verify?token=${token}`,
    notMe: await addButton(deps, trx, mail, 'not_me', { linkHash: tokenHash }),
    resume: mail.offersResume ? await addButton(deps, trx, mail, 'resume_mail') : undefined,
  })
}
