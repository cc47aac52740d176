/** Template of all pages below `/pay`: head, language, theme, and the link to the other language. */
import type { Currency } from '../../domain/payment-links/currency.ts'
import type { Preferences } from '../../http/negotiation/preferences.ts'
import { html } from '../../lib/text/html.ts'
import type { Html } from '../../lib/text/html.ts'
import { wordsIn } from './pay-page-words.ts'

export type View = Preferences & Readonly<{ /** The one the payer chose. */ currency: Currency | undefined }>

export type Content = Readonly<{ title: string; head: Html; main: Html }>

/** @param template web/pay.html as it is built */
export function fillTemplate(template: string, view: View, { title, head, main }: Content): string {
  const filling: Readonly<Record<string, string>> = {
    '{{language}}': view.language,
    '{{theme}}': view.theme,
    '{{colorScheme}}': view.theme === 'system' ? 'light dark' : view.theme,
    '<!--head-->': html`<title>${title} · Paylink</title>${head}`.text,
    '<!--content-->': main.text,
    '<!--foot-->': linkToOtherLanguage(view).text,
  }
  // In one pass: placeholders in inserted text are not replaced.
  return template.replaceAll(/\{\{\w+\}\}|<!--\w+-->/g, (place) => filling[place] ?? place)
}

/** The relative URL of the page in a language and a second currency. */
export function addressOf(view: Readonly<{ language: string; currency: Currency | undefined }>): string {
  const { language, currency } = view
  return `?${new URLSearchParams({ language, ...(currency === undefined ? {} : { currency }) }).toString()}`
}

function linkToOtherLanguage({ language, currency }: View): Html {
  const other = language === 'en' ? 'ro' : 'en'
  return html`<a href="${addressOf({ language: other, currency })}" lang="${other}" hreflang="${other}" rel="nofollow"
    >${wordsIn(other).ownName}</a
  >`
}
