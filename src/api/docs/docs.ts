/** Serves the documentation: the API reference, pages in HTML and Markdown, and `/llms.txt`. */
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { Config } from '../../config/settings.ts'
import { ApiError } from '../../errors.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { App } from '../../http/endpoint.ts'
import { isNavigation } from '../../http/negotiation.ts'
import { addVary } from '../../http/vary.ts'
import { packageRoot } from '../../lib/package-root.ts'

const built = fileURLToPath(new URL('web/dist/documentation/', packageRoot))

/** The placeholder for `PUBLIC_URL` in the pages, replaced so that copied commands work. */
const WRITTEN_URL = 'http://localhost:3000'

/** The pages have no scripts. */
export const DOCS_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const types: Readonly<Record<string, string>> = {
  '.md': MARKDOWN,
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const options = { config: { access: 'public' }, schema: { hide: true } } as const

export class DocsMissingError extends OperatorError {
  constructor() {
    super('The documentation is not built. Run npm run build:web (npm start does).')
  }
}

/**
 * Serves the built files, pages without their extension. Each is read on its first request, so that a start does not
 * wait for any.
 * @throws {DocsMissingError}
 */
export function addDocs(app: App, { publicUrl }: Pick<Config, 'publicUrl'>): void {
  if (!existsSync(join(built, 'llms.txt'))) throw new DocsMissingError()
  const read = reader(publicUrl)
  // Requests are looked up in this set, so no request can name another path of the file system.
  const files = new Set(
    readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((file) => extname(file) !== ''),
  )

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const [name = ''] = request.url.slice(1).split('?')
    if (files.has(`${name}.html`)) {
      addVary(reply, 'Accept')
      const wanted = new Negotiator(request.raw).mediaType(['text/html', 'text/markdown'])
      if (wanted === 'text/markdown') return reply.type(MARKDOWN).send(await read(`${name}.md`))
      return reply
        .header('content-security-policy', DOCS_POLICY)
        .type(HTML)
        .send(await read(`${name}.html`))
    }
    if (name === 'docs/') return reply.redirect('/docs', 308)
    if (!files.has(name) || name.endsWith('.html')) return answerMissing(request, reply)
    // The file name contains a hash of the content.
    if (name.startsWith('docs/assets/')) reply.header('cache-control', 'public, max-age=31536000, immutable')
    return reply.type(types[extname(name)] ?? 'text/plain; charset=utf-8').send(await read(name))
  }

  async function answerMissing(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!isNavigation(request)) throw new ApiError('NOT_FOUND')
    request.errorCode = 'NOT_FOUND'
    addVary(reply, 'Accept')
    reply.header('content-security-policy', DOCS_POLICY)
    return reply
      .status(404)
      .type(HTML)
      .send(await read('not-found.html'))
  }

  // Wildcards: a route per page would cost every start more than everything else here.
  for (const path of ['/docs', '/docs.md', '/docs/*', '/llms.txt']) app.get(path, options, answer)
}

/** Reads each file once; all responses share one buffer. */
function reader(publicUrl: string): (file: string) => Promise<Buffer> {
  const contents = new Map<string, Promise<Buffer>>()
  const load = async (file: string): Promise<Buffer> => {
    const text = await readFile(join(built, file), 'utf8')
    // An origin needs no HTML escaping.
    return Buffer.from(text.replaceAll(WRITTEN_URL, () => publicUrl))
  }
  return (file) => {
    const content = contents.get(file) ?? load(file)
    contents.set(file, content)
    // Not cached if it failed: the next request tries again.
    content.catch(() => contents.delete(file))
    return content
  }
}
