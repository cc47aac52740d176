/** The pages below `/pay` that show no payment link. */
import { html, noHtml } from '../../lib/text/html.ts'
import type { Html } from '../../lib/text/html.ts'
import { addressOf } from './pay-page-template.ts'
import type { Content, View } from './pay-page-template.ts'
import { wordsIn } from './pay-page-words.ts'
import type { PayPageWords } from './pay-page-words.ts'

type State = keyof PayPageWords['states']

/** @param status of the error */
export function problemContent(status: number, view: View): Content {
  const { retry } = wordsIn(view.language)
  if (status === 404) return stateContent('unknown', view)
  if (status < 500) return stateContent('malformed', view)
  return stateContent('failed', view, html`<p><a class="button plain wide" href="${addressOf(view)}">${retry}</a></p>`)
}

/** The page of a link that cannot be paid. @param rest shown below the explanation */
export function stateContent(state: State, view: View, rest = noHtml): Content {
  const [title, text] = wordsIn(view.language).states[state]
  return {
    title,
    head: socialTags(title, text, view),
    main: html` <div class="card stack">
        ${icon(state)}
        <h1>${title}</h1>
        <p>${text}</p>
        ${rest}
      </div>
      ${care(view)}`,
  }
}

/** SVG content for a 24 by 24 view box. */
const outlines: Readonly<Record<State, Html>> = {
  ended: html`<path d="M7 7l10 10M17 7L7 17" />`,
  expired: html`<circle cx="12" cy="12" r="8.5" /><path d="M12 7.5V12l3 2" />`,
  held: html`<path d="M9 6.5v11M15 6.5v11" />`,
  unknown: html`<circle cx="11" cy="11" r="6" /><path d="M15.5 15.5L20 20" />`,
  malformed: html`<circle cx="11" cy="11" r="6" /><path d="M15.5 15.5L20 20" />`,
  failed: html`<path d="M12 6v7.5M12 17.5v.01" />`,
}

const icon = (state: State): Html =>
  html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true">${outlines[state]}</svg>`

/** On every page, because a stranger's message may have linked to it. */
export const care = ({ language }: View): Html => html`<p class="soft small care">${wordsIn(language).care}</p>`

/** Open Graph tags (ogp.me), from which chats make the preview of a link. @param url absent: not a known link */
export function socialTags(title: string, description: string, { language }: View, url?: string): Html {
  return html` <meta name="description" content="${description}" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="Paylink" />
    <meta property="og:locale" content="${wordsIn(language).locale.replace('-', '_')}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />${
      url === undefined ? noHtml : html` <meta property="og:url" content="${url}" />`
    } <meta name="twitter:card" content="summary" />`
}
