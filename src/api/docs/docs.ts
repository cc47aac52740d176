/** Serves the documentation: pages in HTML and Markdown, their style, scripts and search index, and `/llms.txt`. */
import { existsSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/settings.ts'
import { ApiError } from '../../errors.ts'
import { OperatorError } from '../../lib/process/operator-error.ts'
import type { App } from '../../http/endpoint.ts'
import { encodingOf, isNavigation, negotiatorOf } from '../../http/negotiation/negotiation.ts'
import { addVary } from '../../http/negotiation/vary.ts'
import { packageRoot } from '../../lib/process/package-root.ts'
import { createFileReader } from './file-reader.ts'

const built = fileURLToPath(new URL('web/dist/documentation/', packageRoot))

/** The pages load files of this service only. */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const types: Readonly<Record<string, string>> = {
  '.html': HTML,
  '.md': MARKDOWN,
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const landing: Readonly<Record<string, string>> = {
  docs: '/docs/quick-start',
  'docs.md': '/docs/quick-start.md',
}

const options = { config: { access: 'public' }, schema: { hide: true } } as const

class DocsMissingError extends OperatorError {
  constructor() {
    super('The documentation is not built. Run npm run build:web (npm start does).')
  }
}

/**
 * Serves the built files, pages without their extension.
 * @throws {DocsMissingError}
 */
export function addDocs(app: App, { publicUrl }: Pick<Config, 'publicUrl'>): void {
  if (!existsSync(join(built, 'llms.txt'))) throw new DocsMissingError()
  const read = createFileReader(built, publicUrl)
  // Requests are looked up in this set, so no request can name another path of the file system.
  const files = new Set(
    readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((file) => extname(file) !== ''),
  )

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const [name = ''] = request.url.slice(1).split('?')
    if (files.has(`${name}.html`)) {
      addVary(reply, 'Accept')
      const wanted = negotiatorOf(request).mediaType(['text/html', 'text/markdown'])
      return send(request, reply, `${name}.${wanted === 'text/markdown' ? 'md' : 'html'}`)
    }
    const page = name.replace(/\/$/, '')
    const address = landing[page] ?? (files.has(`${page}.html`) ? `/${page}` : undefined)
    if (address !== undefined) return reply.redirect(address, 302)
    if (!files.has(name) || name.endsWith('.html')) return answerMissing(request, reply)
    // The file name contains a hash of the content.
    if (name.startsWith('docs/assets/')) reply.header('cache-control', 'public, max-age=31536000, immutable')
    return send(request, reply, name)
  }

  async function answerMissing(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!isNavigation(request)) throw new ApiError('NOT_FOUND')
    request.errorCode = 'NOT_FOUND'
    addVary(reply, 'Accept')
    return send(request, reply.status(404), 'not-found.html')
  }

  async function send(request: FastifyRequest, reply: FastifyReply, file: string): Promise<FastifyReply> {
    const encoding = encodingOf(request)
    addVary(reply, 'Accept-Encoding')
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    if (file.endsWith('.html')) reply.header('content-security-policy', DOCS_POLICY)
    return reply.type(types[extname(file)] ?? 'text/plain; charset=utf-8').send(await read(file, encoding))
  }

  // Wildcards: a route per page would cost every start more than everything else here.
  for (const path of ['/docs', '/docs.md', '/docs/*', '/llms.txt']) app.get(path, options, answer)
}
