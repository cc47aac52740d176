/** Notifies the owner of an address that somebody created an account with it, by signup or Google. */
import { findCreationEvent } from '../../domain/events/event-store.ts'
import { findUserByEmail } from '../../domain/users/user-store.ts'
import { addButton } from '../mail-buttons.ts'
import type { Composer } from '../queue/composer.ts'
import { networkOf } from '../../lib/network.ts'
import { render } from './render-mail.ts'

export const composeSignupMail: Composer = async (deps, trx, mail) => {
  const user = await findUserByEmail(trx, mail.email)
  // Deleted or claimed meanwhile: nothing to report.
  if (user === undefined || user.claimed_at_ms !== null) return undefined

  const creation = await findCreationEvent(trx, user.id)
  const isByGoogle = creation?.detail === 'google'
  const words = {
    en: {
      subject: 'An account was created with your address',
      before: [
        isByGoogle
          ? 'Somebody created an account with this e-mail address, by signing in with a Google account.'
          : 'A program created an account with this e-mail address, and an API key for it.',
        'If that was you, you do not have to do anything. If it was not, sign in with this address: everything that was created before then stops working until you allow it.',
      ],
      button: 'Sign in',
      after: [],
    },
    ro: {
      subject: 'A fost creat un cont cu adresa ta',
      before: [
        isByGoogle
          ? 'Cineva a creat un cont cu această adresă de e-mail, prin autentificare cu un cont Google.'
          : 'Un program a creat un cont cu această adresă de e-mail și o cheie API pentru el.',
        'Dacă ai fost tu, nu ai nimic de făcut. Dacă nu, autentifică-te cu această adresă: de atunci, tot ce a fost creat înainte nu mai funcționează până când nu permiți tu.',
      ],
      button: 'Autentifică-te',
      after: [],
    },
  }
  const links = {
    main: deps.config.appUrl.href,
    notMe: await addButton(deps, trx, mail, 'not_me'),
    resume: mail.offersResume ? await addButton(deps, trx, mail, 'resume_mail') : undefined,
  }
  const cause = {
    atMs: user.created_at_ms,
    browser: creation?.browser ?? null,
    network: networkOf(creation?.client ?? null),
    isRepeated: false,
  }
  return render(mail.locale, words, links, cause)
}
