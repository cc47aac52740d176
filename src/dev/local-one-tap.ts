import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import type { Config } from '../config/settings.ts'
import type { App } from '../http/endpoint.ts'
import { packageRoot } from '../lib/process/package-root.ts'
import { LOCAL_GOOGLE_PATH } from './local-provider.ts'

/** The same path below the issuer as Google's own. */
const PATH = `${LOCAL_GOOGLE_PATH}/gsi`

const options = { config: { access: 'public' }, schema: { hide: true } } as const

/** @param issueCredential returns an ID token for the form's input */
export function addOneTap(
  app: App,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  issueCredential: (query: unknown) => Promise<string>,
): void {
  const prompt = page(publicUrl)
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    // The user types an address into the frame, so only the service's own pages may embed it.
    `frame-ancestors ${publicUrl}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

  app.get(`${PATH}/client`, options, sendCrossOrigin('gsi-client.js', 'text/javascript; charset=utf-8'))
  app.get(`${PATH}/style`, options, sendCrossOrigin('gsi.css', 'text/css; charset=utf-8'))
  app.get(`${PATH}/prompt.js`, options, sendCrossOrigin('gsi-prompt.js', 'text/javascript; charset=utf-8'))
  app.get(`${PATH}/prompt`, options, async (_request, reply) => {
    reply.header('content-security-policy', policy)
    // This header field cannot name origins, and would block the service's own pages too.
    reply.removeHeader('x-frame-options')
    return reply.type('text/html; charset=utf-8').send(prompt)
  })
  app.get(`${PATH}/credential`, options, async ({ query }) => ({ credential: await issueCredential(query) }))
}

function sendCrossOrigin(file: string, type: string) {
  const content = readFileSync(new URL(`src/dev/${file}`, packageRoot), 'utf8')
  return async (_request: unknown, reply: FastifyReply) => {
    // The page is on another origin: on `localhost`, while this is on the address that the service listens on.
    reply.header('cross-origin-resource-policy', 'cross-origin')
    return reply.type(type).send(content)
  }
}

function page(publicUrl: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local stand-in for Google One Tap</title>
<link rel="stylesheet" href="/dev/page.css">
<script type="module" src="prompt.js"></script>
</head>
<body class="one-tap" data-opener="${publicUrl}">
<main aria-label="In place of Google One Tap">
<h1>This is not Google</h1>
<form>
<label for="email">E-mail address that Google reports</label>
<input id="email" name="email" type="email" value="you@gmail.com" required>
<p><label><input name="workspace" type="checkbox" class="inline"> A Google Workspace address</label></p>
<div role="alert"></div>
<button>Continue</button>
<button type="button" class="plain">Not now</button>
</form>
</main>
</body>
</html>
`
}
