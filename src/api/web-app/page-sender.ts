/** Sends the pages of the web app in the language and the theme that the request asks for. */
import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '../../domain/languages.ts'
import { preferencesOf } from '../../http/negotiation/preferences.ts'
import { addVary } from '../../http/negotiation/vary.ts'
import { html } from '../../lib/text/html.ts'

export type PageKind = 'linked' | 'sign-in' | 'behind-sign-in'

export type SendPage = (request: FastifyRequest, reply: FastifyReply, kind?: PageKind) => FastifyReply

/** Sends the app in the language and theme of the request's preferences: no page is redrawn after its first paint. */
export function pageSender(built: URL, settings: Readonly<Record<string, unknown>>): SendPage {
  const attribute = html`${JSON.stringify(settings)}`.text
  const read = (language: Language): string =>
    // A function, because `$&` in a replacement string has a special meaning.
    readFileSync(new URL(`index.${language}.html`, built), 'utf8').replace('{{settings}}', () => attribute)
  const apps = { en: read('en'), ro: read('ro') }
  const names = readdirSync(new URL('assets/', built))
  const behindSignIn = { en: withPreload(apps.en, 'en', names), ro: withPreload(apps.ro, 'ro', names) }
  return (request, reply, kind) => {
    const { language, theme } = preferencesOf(request)
    const page = (kind === 'behind-sign-in' ? behindSignIn : apps)[language]
    addVary(reply, 'Accept-Language, Cookie')
    return reply
      .header('content-language', language)
      .type('text/html; charset=utf-8')
      .send(page.replace('{{theme}}', theme).replace('{{colorScheme}}', theme === 'system' ? 'light dark' : theme))
  }
}

// Otherwise the browser would discover the second script and its style sheet only after loading the first.
function withPreload(page: string, language: Language, assets: readonly string[]): string {
  const linkTo = (rel: string, start: string, ending: string): string =>
    `  <link rel="${rel}" crossorigin href="/assets/${assets.find((name) => name.startsWith(start) && name.endsWith(ending))}">\n`
  const script = linkTo('modulepreload', `pages-behind-sign-in.${language}-`, '.js')
  return page.replace('  </head>', () => `${script}${linkTo('stylesheet', 'pages-behind-sign-in-', '.css')}  </head>`)
}
