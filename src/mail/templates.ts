/** Every mail's words, in English and Romanian, as text and as HTML. No text of a caller's is in them. */
import type { Mail } from '../lib/mail-transport.ts'
import { locales } from './locale.ts'
import type { Locale } from './locale.ts'

type Words = Readonly<{ subject: string; before: string[]; button: string; after: string[] }>

/** The mail with a sign-in link. */
export function signInMail(locale: string, link: string): Omit<Mail, 'to'> {
  const words: Record<Locale, Words> = {
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
  return render(locale, words, link)
}

/** Tells the owner of an address that a program has made an account with it. */
export function signupNoticeMail(
  locale: string,
  notice: Readonly<{ madeAtMs: number; appUrl: string }>,
): Omit<Mail, 'to'> {
  const when = `${new Date(notice.madeAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const words: Record<Locale, Words> = {
    en: {
      subject: 'An account was made with your address',
      before: [
        `On ${when} a program made an account with this e-mail address, and an API key for it.`,
        'If that was you, there is nothing to do. If it was not, sign in with this address: from then on whatever was made before you does not work until you allow it.',
      ],
      button: 'Go to sign-in',
      after: [],
    },
    ro: {
      subject: 'A fost creat un cont cu adresa ta',
      before: [
        `La ${when} un program a creat un cont cu această adresă de e-mail și o cheie API pentru el.`,
        'Dacă ai fost tu, nu ai nimic de făcut. Dacă nu, autentifică-te cu această adresă: de atunci, tot ce a fost creat înainte nu mai funcționează până când nu permiți tu.',
      ],
      button: 'Autentificare',
      after: [],
    },
  }
  return render(locale, words, notice.appUrl)
}

function render(locale: string, words: Record<Locale, Words>, link: string): Omit<Mail, 'to'> {
  const language = locales.find((known) => known === locale) ?? 'en'
  const { subject, before, button, after } = words[language]
  const paragraph = (line: string) => `<p>${escapeHtml(line)}</p>`
  return {
    subject,
    text: `${[...before, link, ...after].join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(subject)}</title>
<body style="margin:0 auto;max-width:32rem;padding:1.5rem;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a">
${before.map(paragraph).join('\n')}
<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:.7rem 1.4rem;border-radius:.5rem;background:#1f4fd8;color:#fff;text-decoration:none">${escapeHtml(button)}</a></p>
${after.map(paragraph).join('\n')}
<p style="font-size:13px;color:#555;word-break:break-all">${escapeHtml(link)}</p>
</body>
</html>
`,
  }
}

/** Text made safe between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
