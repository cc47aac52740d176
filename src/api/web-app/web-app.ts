/** Serves the built web app: its pages, each with its own Content-Security-Policy, and their assets. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import Negotiator from 'negotiator'
import { findPaymentLink } from '../../domain/payment-links/payment-link-store.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { Deps } from '../../http/deps.ts'
import type { App } from '../../http/endpoint.ts'
import { isNavigation } from '../../http/negotiation.ts'
import { addVary } from '../../http/vary.ts'
import { packageRoot } from '../../lib/package-root.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'

const built = new URL('web/dist/', packageRoot)

/** An entry of `pages.json`, which the build of the web app writes (web/src/page-list.ts). */
type Page = Readonly<{ path: string; kind: 'linked' | 'sign-in' | 'behind-sign-in'; hasGoogle?: true }>

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const options = { config: { access: 'public' }, schema: { hide: true } } as const

export class WebAppMissingError extends OperatorError {
  constructor() {
    super('The web app is not built. Run npm run build:web (npm start does).')
  }
}

/**
 * Reads the files once, when the server is built.
 * @throws {WebAppMissingError}
 */
export function addWebApp(app: App, { config, google, db }: Pick<Deps, 'config' | 'google' | 'db'>): void {
  // Every build of this version writes it; older ones did not.
  if (!existsSync(new URL('pages.json', built))) throw new WebAppMissingError()
  // Compares URLs, not origins: behind one proxy the frontend may share this service's origin.
  const hasOwnFrontend = config.appUrl.href !== new URL(config.publicUrl).href
  const settings = {
    publicUrl: config.publicUrl,
    frontend: hasOwnFrontend ? config.appUrl.href : null,
    google: google && {
      clientId: google.settings.clientId,
      clientScript: `${google.settings.issuer}/gsi/client`,
    },
    signup: config.signup,
    mailbox: config.hasDevelopmentPages && !config.smtpUrl ? '/dev/mailbox' : null,
  }
  const page = readFileSync(new URL('index.html', built), 'utf8')
    // A function, because `$&` in a replacement string has a special meaning.
    .replace('{{settings}}', () => escapeAttribute(JSON.stringify(settings)))

  const all = JSON.parse(readFileSync(new URL('pages.json', built), 'utf8')) as readonly Page[]
  const pages = all.filter(({ kind }) => !hasOwnFrontend || kind === 'linked')
  const pageBehindSignIn = withPreload(page)
  for (const { path, kind, hasGoogle } of pages) {
    const content = kind === 'behind-sign-in' ? pageBehindSignIn : page
    const isWithGoogle = google !== null && hasGoogle === true
    const policy = contentSecurityPolicy(isWithGoogle ? google.settings.issuer : undefined)
    app.get<{ Params: { id?: string } }>(path, options, async ({ params: { id } }, reply) => {
      if (id !== undefined) reply.status(await statusOfPayPage(db, id))
      reply.header('content-security-policy', policy)
      // Google's pop-up sends its result to the page that opened it.
      if (isWithGoogle) reply.header('cross-origin-opener-policy', 'same-origin-allow-popups')
      return reply.type('text/html; charset=utf-8').send(content)
    })
  }
  answerUnknownPages(
    app,
    pages.map(({ path }) => path),
    page,
  )
  if (hasOwnFrontend) app.get('/', options, async (_request, reply) => reply.redirect(config.appUrl.href, 302))
  else app.get('/dashboard', options, async (_request, reply) => reply.redirect('/dashboard/profile', 302))
  addAssets(app)
}

/** The page itself then calls the API, which reports and logs what failed. */
async function statusOfPayPage(db: Deps['db'], id: string): Promise<number> {
  try {
    return (await findPaymentLink(db, id)) === undefined ? 404 : 200
  } catch {
    return 503
  }
}

// Otherwise the browser would discover the second script and its style sheet only after loading the first.
function withPreload(page: string): string {
  const assets = readdirSync(new URL('assets/', built)).filter((name) => name.startsWith('pages-behind-sign-in-'))
  const linkTo = (rel: string, ending: string): string =>
    `  <link rel="${rel}" crossorigin href="/assets/${assets.find((name) => name.endsWith(ending))}">\n`
  return page.replace('  </head>', () => `${linkTo('modulepreload', '.js')}${linkTo('stylesheet', '.css')}  </head>`)
}

/** Redirects a page's URL with a trailing slash, and shows browsers a 404 page; programs get the JSON error. */
function answerUnknownPages(app: App, paths: readonly string[], page: string): void {
  const policy = contentSecurityPolicy()
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const isPage = ['GET', 'HEAD'].includes(request.method) && !request.url.startsWith('/api/')
    if (!isPage || !isNavigation(request)) return done()
    const [, path = '', query = ''] = /^([^?]+)\/(\?.*)?$/.exec(request.url) ?? []
    if (paths.includes(path)) return void reply.redirect(path + query, 308)
    request.errorCode = 'NOT_FOUND'
    addVary(reply, 'Accept')
    reply.header('content-security-policy', policy)
    void reply.status(404).type('text/html; charset=utf-8').send(page)
  })
}

// From memory: reading files with @fastify/static takes three times the processor time per call (docs/decisions/0037).
function addAssets(app: App): void {
  const folder = new URL('assets/', built)
  for (const name of readdirSync(folder)) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const plain = readFileSync(new URL(name, folder))
    const brotli = readFileSync(new URL(`${name}.br`, folder))
    const gzip = readFileSync(new URL(`${name}.gz`, folder))
    app.get(`/assets/${name}`, options, async (request, reply) => {
      // The file name contains a hash of the content.
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      addVary(reply, 'Accept-Encoding')
      const accepted = new Negotiator(request.raw).encodings(['br', 'gzip'])
      const encoding = ['br', 'gzip'].find((one) => accepted.includes(one))
      if (encoding === undefined) return reply.type(type).send(plain)
      reply.header('content-encoding', encoding)
      return reply.type(type).send(encoding === 'br' ? brotli : gzip)
    })
  }
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
