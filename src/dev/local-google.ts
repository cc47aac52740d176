import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { Config, GoogleSettings } from '../config/settings.ts'
import type { App } from '../http/endpoint.ts'
import { readEmailAddress } from '../http/input.ts'
import type { Random } from '../lib/random.ts'
import { addOneTap } from './local-one-tap.ts'
import { createLocalProvider, LOCAL_GOOGLE_PATH } from './local-provider.ts'
import type { LocalAccounts, LocalProvider } from './local-provider.ts'
import { refuseOthers } from './loopback-only.ts'

export type LocalGoogle = Readonly<{ settings: GoogleSettings; addPages(app: App): void }>

const options = { config: { access: 'public' }, schema: { hide: true } } as const

/**
 * An OpenID provider that accepts any address the user types.
 * @returns `undefined` without development pages (`Config`), when Google is configured, or when the package
 * `oidc-provider` (a development dependency) is not installed
 */
export function createLocalGoogle(config: Config, random: Random): LocalGoogle | undefined {
  if (!config.hasDevelopmentPages || config.google !== null || !isInstalled()) return undefined
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const settings = {
    clientId: 'local-stand-in',
    clientSecret: random.bytes(32).toString('base64url'),
    issuer: `http://${host}:${config.port}${LOCAL_GOOGLE_PATH}`,
  }
  const accounts: LocalAccounts = new Map()
  let provider: Promise<LocalProvider> | undefined
  const getProvider = () => (provider ??= createLocalProvider(config, settings, accounts, random))

  return {
    settings,
    addPages(app) {
      // Loading can take longer than the time limit of a call to Google, so it must not happen within one.
      app.addHook('onRequest', async ({ routeOptions }) => {
        if (routeOptions.url?.startsWith('/api/v1/auth/google/')) await getProvider()
      })
      void app.register(async (pages: App) => {
        pages.addHook('onRequest', refuseOthers)
        // The provider parses bodies itself.
        pages.addContentTypeParser('*', (_request, _payload, done) => done(null))

        pages.get<{ Params: { uid: string } }>(
          `${LOCAL_GOOGLE_PATH}/interaction/:uid`,
          options,
          async (request, reply) => {
            const finishPath = `${LOCAL_GOOGLE_PATH}/interaction/${encodeURIComponent(request.params.uid)}/finish`
            reply.header('content-security-policy', "default-src 'none'; style-src 'self'; frame-ancestors 'none'")
            return reply.type('text/html; charset=utf-8').send(page(finishPath))
          },
        )

        pages.get(`${LOCAL_GOOGLE_PATH}/interaction/:uid/finish`, options, async (request, reply) => {
          const { email = '' } = request.query as Record<string, string | undefined>
          const accountId = email === '' ? undefined : addAccount(accounts, request.query)
          await finish((await getProvider()).provider, request, reply, accountId)
        })

        addOneTap(pages, config, async (query) => (await getProvider()).signCredential(addAccount(accounts, query)))

        pages.all(`${LOCAL_GOOGLE_PATH}/*`, options, async (request, reply) => {
          const handle = (await getProvider()).provider.callback()
          // The provider expects paths relative to its own root.
          const raw = Object.assign(request.raw, { originalUrl: request.url })
          raw.url = request.url.slice(LOCAL_GOOGLE_PATH.length)
          raw.headers.cookie = withoutSession(request.headers.cookie)
          reply.hijack()
          await handle(raw, reply.raw)
        })
      })
    },
  }
}

async function finish(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  accountId: string | undefined,
): Promise<void> {
  const result =
    accountId === undefined
      ? { error: 'access_denied', error_description: 'Cancelled by the user' }
      : { login: { accountId, remember: false } }
  const to = await provider.interactionResult(request.raw, reply.raw, result)
  await reply.redirect(to, 303)
}

// The subject stands for the identity, as at Google; here each address has exactly one.
function addAccount(accounts: LocalAccounts, query: unknown): string {
  const { email: typed = '', workspace } = query as Record<string, string | undefined>
  const email = readEmailAddress(typed)
  const subject = Buffer.from(email).toString('hex')
  const [, domain = ''] = email.split('@')
  accounts.set(subject, { email, hd: workspace === 'on' ? domain : undefined })
  return subject
}

// Without a session each sign-in asks again; with one, the provider would first have to sign out the previous user.
function withoutSession(cookies = ''): string {
  return cookies
    .split('; ')
    .filter((cookie) => !cookie.startsWith('_session'))
    .join('; ')
}

function isInstalled(): boolean {
  try {
    return import.meta.resolve('oidc-provider') !== ''
  } catch {
    return false
  }
}

function page(finishPath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local stand-in for Google</title>
<link rel="stylesheet" href="/dev/page.css">
</head>
<body>
<main>
<h1>This is not Google</h1>
<p class="soft">This local stand-in accepts any address you type. It exists in development only, until GOOGLE_CLIENT_ID is set.</p>
<form action="${finishPath}">
<label for="email">E-mail address that Google reports</label>
<input id="email" name="email" type="email" value="you@gmail.com" required autofocus>
<p><label><input name="workspace" type="checkbox" class="inline"> Google Workspace hosts this domain’s mail (always the case for gmail.com)</label></p>
<button>Continue</button>
</form>
<p><a href="${finishPath}">Cancel</a></p>
</main>
</body>
</html>
`
}
