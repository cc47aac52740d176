/** Serves the built web app: its pages, each with its own Content-Security-Policy, and their assets. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { hasOwnFrontend } from '../../config/own-frontend.ts'
import { OperatorError } from '../../lib/process/operator-error.ts'
import type { Deps } from '../../http/deps.ts'
import type { App } from '../../http/endpoint.ts'
import { encodingOf, isNavigation } from '../../http/negotiation/negotiation.ts'
import { addVary } from '../../http/negotiation/vary.ts'
import { packageRoot } from '../../lib/process/package-root.ts'
import { pageSender } from './page-sender.ts'
import type { PageKind, SendPage } from './page-sender.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'

const built = new URL('web/dist/', packageRoot)

/** An entry of `pages.json`, which the build of the web app writes (web/src/page-list.ts). */
type Page = Readonly<{ path: string; kind: PageKind; hasGoogle?: true }>

/** What `:id` of a page's path matches. */
const ID = '[\\w-]{1,64}'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const options = { config: { access: 'public' }, schema: { hide: true } } as const

class WebAppMissingError extends OperatorError {
  constructor() {
    super('The web app is not built. Run npm run build:web (npm start does).')
  }
}

/**
 * Reads the files once, when the server is built.
 * @throws {WebAppMissingError}
 */
export function addWebApp(app: App, { config, google }: Pick<Deps, 'config' | 'google'>): void {
  // Every build of this version writes it; older ones did not.
  if (!existsSync(new URL('pages.json', built))) throw new WebAppMissingError()
  const isElsewhere = hasOwnFrontend(config)
  const settings = {
    publicUrl: config.publicUrl,
    frontend: isElsewhere ? config.appUrl.href : null,
    google: google && {
      clientId: google.settings.clientId,
      clientScript: `${google.settings.issuer}/gsi/client`,
    },
    signup: config.signup,
    mailbox: config.hasDevelopmentPages && !config.smtpUrl ? '/dev/mailbox' : null,
  }
  const sendPage = pageSender(built, settings)

  const all = JSON.parse(readFileSync(new URL('pages.json', built), 'utf8')) as readonly Page[]
  const pages = all.filter(({ kind }) => !isElsewhere || kind === 'linked')
  for (const { path, kind, hasGoogle } of pages) {
    const url = path.replace(':id', `:id(^${ID}$)`)
    const isWithGoogle = google !== null && hasGoogle === true
    const policy = contentSecurityPolicy(isWithGoogle ? google.settings.issuer : undefined)
    app.get(url, options, async (request, reply) => {
      reply.header('content-security-policy', policy)
      // Google's pop-up sends its result to the page that opened it.
      if (isWithGoogle) reply.header('cross-origin-opener-policy', 'same-origin-allow-popups')
      return sendPage(request, reply, kind)
    })
  }
  answerUnknownPages(
    app,
    pages.map(({ path }) => new RegExp(`^${path.replace(':id', ID)}$`)),
    sendPage,
  )
  if (isElsewhere) app.get('/', options, async (_request, reply) => reply.redirect(config.appUrl.href, 302))
  addAssets(app)
}

/** Redirects a page's URL with a trailing slash, and shows browsers a 404 page; programs get the JSON error. */
function answerUnknownPages(app: App, paths: readonly RegExp[], sendPage: SendPage): void {
  const policy = contentSecurityPolicy()
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const isPage = ['GET', 'HEAD'].includes(request.method) && !request.url.startsWith('/api/')
    if (!isPage || !isNavigation(request)) return done()
    const [, path = '', query = ''] = /^([^?]+)\/(\?.*)?$/.exec(request.url) ?? []
    if (paths.some((pattern) => pattern.test(path))) return void reply.redirect(path + query, 308)
    request.errorCode = 'NOT_FOUND'
    addVary(reply, 'Accept')
    reply.header('content-security-policy', policy)
    void sendPage(request, reply.status(404))
  })
}

// From memory: reading files with @fastify/static takes three times the processor time per call (docs/decisions/0037).
function addAssets(app: App): void {
  const folder = new URL('assets/', built)
  for (const name of readdirSync(folder)) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const contents = {
      identity: readFileSync(new URL(name, folder)),
      br: readFileSync(new URL(`${name}.br`, folder)),
      gzip: readFileSync(new URL(`${name}.gz`, folder)),
    }
    app.get(`/assets/${name}`, options, async (request, reply) => {
      // The file name contains a hash of the content.
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      addVary(reply, 'Accept-Encoding')
      const encoding = encodingOf(request)
      if (encoding !== 'identity') reply.header('content-encoding', encoding)
      return reply.type(type).send(contents[encoding])
    })
  }
}
