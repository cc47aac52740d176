/** The sign-in mail: its token is created when it is sent, and only the token's hash is stored. */
import { findReservation } from '../../domain/address-change/address-change-store.ts'
import { insertLink } from '../../domain/sign-in/magic-link-store.ts'
import { findUserByEmail } from '../../domain/users/user-store.ts'
import { sha256 } from '../../lib/hash.ts'
import { addButton } from '../mail-buttons.ts'
import type { Composer } from '../queue/composer.ts'
import { composeReservedMail } from './address-change-notice.ts'
import { causeOf } from './mail-words.ts'
import { render } from './render-mail.ts'
import { composeDisabledMail } from './disabled-mail.ts'

/** OWASP ASVS 6.5.5 allows no more than ten minutes. */
const LINK_LIFETIME_MS = 10 * 60 * 1000

const words = {
  en: {
    subject: 'Sign in to Paylink',
    before: ['Use this link to sign in. It works once and expires in 10 minutes.'],
    button: 'Sign in',
    after: ['If you did not ask for this e-mail, you can ignore it: nobody can sign in without the link.'],
  },
  ro: {
    subject: 'Autentificare în Paylink',
    before: ['Folosește acest link ca să te autentifici. Funcționează o singură dată și expiră în 10 minute.'],
    button: 'Autentifică-te',
    after: ['Dacă nu ai cerut acest e-mail, îl poți ignora: fără link nu se poate autentifica nimeni.'],
  },
}

/** Neither a disabled account nor an address that an account had until lately gets a link. */
export const composeSignInMail: Composer = async (deps, trx, mail) => {
  const { config, clock, random } = deps
  const user = await findUserByEmail(trx, mail.email)
  if (user !== undefined && user.disabled_at_ms !== null) return composeDisabledMail(deps, trx, mail, user)
  const change = user === undefined ? await findReservation(trx, mail.email, clock.now()) : undefined
  if (change !== undefined) return composeReservedMail(deps, trx, mail, change)
  const token = random.bytes(32).toString('base64url')
  const tokenHash = sha256(token)
  await insertLink(trx, {
    token_hash: tokenHash,
    email: mail.email,
    redirect_to: mail.redirect_to,
    expires_at_ms: clock.now() + LINK_LIFETIME_MS,
  })
  const links = {
    main: `${config.baseUrl}/auth/verify?token=${token}`,
    notMe: await addButton(deps, trx, mail, 'not_me', { linkHash: tokenHash }),
    resume: mail.offersResume ? await addButton(deps, trx, mail, 'resume_mail') : undefined,
  }
  return render(mail.locale, words, links, causeOf(mail))
}
