/** The mail to a new address: it carries the link that confirms the change, or says that the address has an account. */
import { CHANGE_LINK_LIFETIME_MS } from '../../domain/address-change/ask-change.ts'
import { findPendingChanges } from '../../domain/address-change/address-change-store.ts'
import { findUserOfMailbox } from '../../domain/address-change/former-user.ts'
import { addButton } from '../mail-buttons.ts'
import type { Composer } from '../queue/composer.ts'
import { causeOf } from './mail-words.ts'
import { render } from './render-mail.ts'

const words = {
  en: {
    subject: 'Confirm your new e-mail address',
    before: [
      'Somebody asked to use this e-mail address for their Paylink account.',
      'If that was you, confirm it in the browser in which you asked. The link works once and expires in 10 minutes.',
    ],
    button: 'Confirm the address',
    after: ['If it was not you, you can ignore this e-mail: nothing changes without the link.'],
  },
  ro: {
    subject: 'Confirmă noua ta adresă de e-mail',
    before: [
      'Cineva a cerut să folosească această adresă de e-mail pentru contul său Paylink.',
      'Dacă ai fost tu, confirmă în browserul din care ai cerut. Linkul funcționează o singură dată și expiră în 10 minute.',
    ],
    button: 'Confirmă adresa',
    after: ['Dacă nu ai fost tu, poți ignora acest e-mail: fără link nu se schimbă nimic.'],
  },
}

const wordsIfTaken = {
  en: {
    subject: 'This address has an account already',
    before: [
      'Somebody asked to use this e-mail address for another Paylink account. It has an account already, so nothing has changed.',
      'If that was you, sign in with this address. To use it for the other account, delete this account first. An address that an account had until lately is free after seven days.',
    ],
    button: 'Sign in',
    after: ['If it was not you, you can ignore this e-mail.'],
  },
  ro: {
    subject: 'Această adresă are deja un cont',
    before: [
      'Cineva a cerut să folosească această adresă de e-mail pentru alt cont Paylink. Ea are deja un cont, așa că nu s-a schimbat nimic.',
      'Dacă ai fost tu, autentifică-te cu această adresă. Ca să o folosești pentru celălalt cont, șterge mai întâi acest cont. O adresă pe care un cont a avut-o până de curând este liberă după șapte zile.',
    ],
    button: 'Autentifică-te',
    after: ['Dacă nu ai fost tu, poți ignora acest e-mail.'],
  },
}

export const composeAddressChangeMail: Composer = async (deps, trx, mail) => {
  const nowMs = deps.clock.now()
  const pending = await findPendingChanges(trx, mail.email, nowMs)
  // Replaced, or ended with its sign-in: there is nothing to confirm.
  if (pending.length === 0) return undefined
  const holder = await findUserOfMailbox(trx, mail.email, nowMs)
  // An account may take back its former address.
  const isFree = holder === undefined || pending.some((change) => change.user_id === holder.id)
  const links = {
    main: isFree
      ? await addButton(deps, trx, mail, 'confirm_email', { expiresAtMs: nowMs + CHANGE_LINK_LIFETIME_MS })
      : deps.config.appUrl.href,
    notMe: await addButton(deps, trx, mail, 'not_me'),
    resume: mail.offersResume ? await addButton(deps, trx, mail, 'resume_mail') : undefined,
  }
  return render(mail.locale, isFree ? words : wordsIfTaken, links, causeOf(mail))
}
