/** The one layout of all mails: a template gives its words, its links and who caused the mail. */
import type { Mail } from '../smtp-transport.ts'
import { DEFAULT_LANGUAGE, languages } from '../../domain/languages.ts'
import type { Language } from '../../domain/languages.ts'
import { toHtml } from './mail-html.ts'
import type { ExtraLink, MailParts } from './mail-html.ts'
import { formatTime, inLanguage } from './mail-words.ts'
import type { Cause } from './mail-words.ts'

/** The texts around a mail's one button. */
export type Words = Readonly<{ subject: string; before: string[]; button: string; after: string[] }>

export type Links = Readonly<{
  main: string
  /** "This wasn't me", in every mail. */
  notMe: string
  /** Ends a pause; in the one mail a day that goes out during it. */
  resume?: string | undefined
}>

const labels = {
  en: {
    when: 'When',
    browser: 'Browser',
    network: 'Network',
    repeated: 'Asked for more than once, from different browsers or networks.',
    fallback: 'If the button does not work, open this address:',
    notMe: { before: 'Not you?', label: 'This wasn’t me' },
    resume: { before: 'E-mails to you are paused: you get one a day.', label: 'Turn e-mails back on' },
  },
  ro: {
    when: 'Când',
    browser: 'Browser',
    network: 'Rețea',
    repeated: 'Cerut de mai multe ori, din browsere sau rețele diferite.',
    fallback: 'Dacă butonul nu funcționează, deschide această adresă:',
    notMe: { before: 'Nu ai fost tu?', label: 'Nu am fost eu' },
    resume: {
      before: 'E-mailurile către tine sunt oprite: primești unul pe zi.',
      label: 'Reactivează e-mailurile',
    },
  },
} as const

/**
 * Uses the default language for an unknown locale.
 * @param links null for a mail without buttons
 * @param cause the request that caused the mail; absent if the words say it
 */
export function render(
  locale: string,
  words: Readonly<Record<Language, Words>>,
  links: Links | null,
  cause?: Cause,
): Omit<Mail, 'to'> {
  const language = languages.find((known) => known === locale) ?? DEFAULT_LANGUAGE
  const { subject, before, button, after } = words[language]
  const say = labels[language]
  const parts: MailParts = {
    language,
    subject,
    before,
    button: links === null ? null : { label: button, href: links.main, fallback: say.fallback },
    after: cause?.isRepeated ? [...after, say.repeated] : after,
    facts: cause === undefined ? [] : factsOf(language, cause),
    extras: [
      ...(links?.resume === undefined ? [] : [{ ...say.resume, href: links.resume }]),
      ...(links === null ? [] : [{ ...say.notMe, href: links.notMe }]),
    ],
  }
  return { subject, text: toText(parts), html: toHtml(parts) }
}

function factsOf(language: Language, { atMs, browser, network }: Cause): MailParts['facts'] {
  const say = labels[language]
  const facts: [string, string | null][] = [
    [say.when, formatTime(language, atMs)],
    [say.browser, browser && inLanguage(language, browser)],
    [say.network, network],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== null)
}

/** RFC 5322, section 2.1.1, asks for 78 characters; mail programs put `> ` in front of a quoted line. */
const TEXT_WIDTH = 76

function toText({ subject, before, button, after, facts, extras }: MailParts): string {
  const paragraphs = [
    'Paylink',
    subject,
    ...before,
    ...(button === null ? [] : [button.href]),
    ...after,
    ...(facts.length === 0 ? [] : [facts.map(([name, value]) => `${name}: ${value}`).join('\n')]),
    ...extras.map(textOfExtra),
  ]
  return `${paragraphs.map(wrap).join('\n\n')}\n`
}

const textOfExtra = ({ before, label, href }: ExtraLink): string => `${before} ${label}:\n${href}`

// A name between isolation marks is one word: they do not reach beyond a line, and the rest of a right-to-left name
// would reorder what follows it.
const WORD = /(?:\u2068[^\u2069]*\u2069|[^ ])+/g

/** Breaks lines between words; a link stays whole, on a line of its own. */
function wrap(paragraph: string): string {
  return paragraph
    .split('\n')
    .map((line) => {
      if (line.length <= TEXT_WIDTH) return line
      const lines: string[] = []
      for (const word of line.match(WORD) ?? []) {
        const last = lines.at(-1)
        if (last !== undefined && last.length + 1 + word.length <= TEXT_WIDTH)
          lines[lines.length - 1] = `${last} ${word}`
        else lines.push(word)
      }
      return lines.join('\n')
    })
    .join('\n')
}
