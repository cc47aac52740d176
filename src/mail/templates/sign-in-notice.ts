import { hasOwnFrontend } from '../../config/own-frontend.ts'
import { findUserOfMailbox } from '../../domain/address-change/former-user.ts'
import { findSignIns } from '../../domain/sign-in/sign-in-store.ts'
import type { SignIn } from '../../domain/sign-in/sign-in-store.ts'
import { addButton } from '../mail-buttons.ts'
import type { Composer } from '../queue/composer.ts'
import { formatTime, sayOrigin } from './mail-words.ts'
import { render } from './render-mail.ts'

/** Reports the sign-ins from new browsers since the mail was queued. */
export const composeSignInNotice: Composer = async (deps, trx, mail) => {
  const sinceMs = mail.tells_since_ms ?? mail.created_at_ms
  const user = await findUserOfMailbox(trx, mail.email, deps.clock.now())
  const signIns = user === undefined ? [] : await findSignIns(trx, user.id, sinceMs)
  const reported = signIns.filter((signIn) => signIn.is_new_browser === 1)
  if (reported.length === 0) return undefined

  const words = {
    en: {
      subject: 'New sign-in to your account',
      before: reported.map(sayInEnglish),
      button: 'Review your sign-ins',
      after: [
        'You get this mail because nobody had signed in with such a browser recently. If it was you, you do not have to do anything.',
      ],
    },
    ro: {
      subject: 'Autentificare nouă în contul tău',
      before: reported.map(sayInRomanian),
      button: 'Verifică-ți autentificările',
      after: [
        'Primești acest mesaj pentru că nimeni nu s-a mai autentificat recent cu un astfel de browser. Dacă ai fost tu, nu ai nimic de făcut.',
      ],
    },
  }
  return render(mail.locale, words, {
    main: hasOwnFrontend(deps.config) ? deps.config.appUrl.href : `${deps.config.publicUrl}/dashboard/profile`,
    notMe: await addButton(deps, trx, mail, 'not_me', { tellsSinceMs: sinceMs }),
  })
}

function sayInEnglish(signIn: SignIn): string {
  const how = signIn.method === 'google' ? 'with Google' : 'with a sign-in link'
  return `On ${formatTime('en', signIn.created_at_ms)} somebody signed in to your account ${how}, ${sayOrigin('en', signIn)}.`
}

function sayInRomanian(signIn: SignIn): string {
  const how = signIn.method === 'google' ? 'cu Google' : 'cu un link de autentificare'
  return `Pe ${formatTime('ro', signIn.created_at_ms)} cineva s-a autentificat în contul tău ${how}, ${sayOrigin('ro', signIn)}.`
}
