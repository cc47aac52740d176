import type { Mail } from '../smtp-transport.ts'
import { locales } from '../../domain/mails/mail-locale.ts'
import type { Locale } from '../../domain/mails/mail-locale.ts'

/** The texts around a mail's one button. */
export type Words = Readonly<{ subject: string; before: string[]; button: string; after: string[] }>

export type Links = Readonly<{
  main: string
  /** "This wasn't me", in every mail. */
  notMe: string
  /** Ends a pause; in the one mail a day that goes out during it. */
  resume?: string | undefined
}>

const footers: Record<Locale, Readonly<{ notMe: string; paused: string }>> = {
  en: {
    notMe: 'This wasn’t you? Say so here:',
    paused: 'Mail to you is paused: you get one a day. To get all mail again, open:',
  },
  ro: {
    notMe: 'Nu ai fost tu? Spune-ne aici:',
    paused: 'Mesajele către tine sunt oprite: primești unul pe zi. Ca să le primești din nou pe toate, deschide:',
  },
}

/**
 * Uses English for an unknown locale.
 * @param links null for a mail without buttons
 */
export function render(locale: string, words: Readonly<Record<Locale, Words>>, links: Links | null): Omit<Mail, 'to'> {
  const language = locales.find((known) => known === locale) ?? 'en'
  const { subject, before, button, after } = words[language]
  const footer = footers[language]
  const extras = [
    ...(links?.resume === undefined ? [] : [{ words: footer.paused, link: links.resume }]),
    ...(links === null ? [] : [{ words: footer.notMe, link: links.notMe }]),
  ]
  const main = links === null ? [] : [links.main]
  const paragraph = (line: string) => `<p>${escapeHtml(line)}</p>`
  const anchor = (link: string) => `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`
  return {
    subject,
    text: `${[...before, ...main, ...after, ...extras.flatMap((extra) => [extra.words, extra.link])].join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(subject)}</title>
<body style="margin:0 auto;max-width:32rem;padding:1.5rem;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a">
${before.map(paragraph).join('\n')}
${main.map((link) => `<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:.7rem 1.4rem;border-radius:.5rem;background:#1f4fd8;color:#fff;text-decoration:none">${escapeHtml(button)}</a></p>`).join('')}
${after.map(paragraph).join('\n')}
${main.map((link) => small(escapeHtml(link))).join('')}
${extras.map((extra) => small(`${escapeHtml(extra.words)} ${anchor(extra.link)}`)).join('\n')}
</body>
</html>
`,
  }
}

function small(html: string): string {
  return `<p style="font-size:13px;color:#555;word-break:break-all">${html}</p>`
}

/** In UTC, to the minute. */
export function formatTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Safe between tags and inside quoted attributes. */
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
