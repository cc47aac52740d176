/** The plain pages that people meet: the ways in at `/`, a link at `/confirm`, what came of Google at `/signed-in`, and a mail's buttons. */
import { readFileSync } from 'node:fs'
import type { Deps } from '../../deps.ts'
import type { App } from '../../http/endpoint.ts'

const files = [
  { path: '/', file: 'sign-in.html', type: 'text/html; charset=utf-8' },
  { path: '/confirm', file: 'confirm.html', type: 'text/html; charset=utf-8' },
  { path: '/signed-in', file: 'signed-in.html', type: 'text/html; charset=utf-8' },
  { path: '/not-me', file: 'not-me.html', type: 'text/html; charset=utf-8' },
  { path: '/resume-mail', file: 'resume-mail.html', type: 'text/html; charset=utf-8' },
  { path: '/pages/page.css', file: 'page.css', type: 'text/css; charset=utf-8' },
  { path: '/pages/sign-in.js', file: 'sign-in.js', type: 'text/javascript; charset=utf-8' },
  { path: '/pages/confirm.js', file: 'confirm.js', type: 'text/javascript; charset=utf-8' },
  { path: '/pages/signed-in.js', file: 'signed-in.js', type: 'text/javascript; charset=utf-8' },
  { path: '/pages/button.js', file: 'button.js', type: 'text/javascript; charset=utf-8' },
] as const

// No inline script or style, nothing from elsewhere, and no string ever becomes markup.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** Adds the pages; they are read once, when the server is built. */
export function addPages(app: App, { config, google }: Pick<Deps, 'config' | 'google'>): void {
  // A frontend of one's own gets the person back; the built-in pages end where they are.
  const hasOwnFrontend = config.appUrl.origin !== config.publicUrl
  const afterGoogle = hasOwnFrontend ? config.appUrl.href : `${config.publicUrl}/signed-in`
  const startGoogle = `${config.baseUrl}/auth/google/start?${new URLSearchParams({ redirectTo: afterGoogle }).toString()}`
  for (const { path, file, type } of files) {
    const source = readFileSync(new URL(`pages/${file}`, import.meta.url), 'utf8')
    const content = source
      // Functions: a `$&` in a replacement text would stand for something else.
      .replace('{{frontend}}', () => (hasOwnFrontend ? escapeAttribute(config.appUrl.href) : ''))
      .replace('{{google}}', () => (google === null ? '' : escapeAttribute(startGoogle)))
      .replace('{{mailbox}}', () => (config.hasDevelopmentPages && !config.smtpUrl ? '/dev/mailbox' : ''))
    app.get(path, { config: { access: 'public' }, schema: { hide: true } }, async (_request, reply) => {
      reply.header('content-security-policy', CONTENT_SECURITY_POLICY)
      return reply.type(type).send(content)
    })
  }
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
