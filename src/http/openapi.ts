/** The OpenAPI 3.1 document, which `npm run generate` writes from the schemas that the server validates with. */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sha256 } from '../lib/hash.ts'
import { packageRoot } from '../lib/process/package-root.ts'
import type { App } from './endpoint.ts'
import { encodingOf } from './negotiation/negotiation.ts'
import type { Encoding } from './negotiation/negotiation.ts'
import { addVary } from './negotiation/vary.ts'

type Representation = Readonly<{ content: Buffer; etag: string }>

export function serveOpenApi(app: App): void {
  // One buffer shared by all responses: otherwise each stalled reader would hold its own copy.
  let document: Promise<Record<Encoding, Representation>> | undefined
  app.get('/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    document ??= readDocument()
    // Not cached if it failed: the next request tries again.
    document.catch(() => (document = undefined))
    const encoding = encodingOf(request)
    const { content, etag } = (await document)[encoding]
    addVary(reply, 'Accept-Encoding')
    // Public, and the same until the next version: a cache may keep it, and asks before each use.
    reply.header('cache-control', 'no-cache').header('etag', etag)
    if (isKnown(request.headers['if-none-match'], etag)) return reply.status(304).send()
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.type('application/json; charset=utf-8').send(content)
  })
}

async function readDocument(): Promise<Record<Encoding, Representation>> {
  const text = await readFile(new URL('openapi.json', packageRoot), 'utf8')
  const identity = Buffer.from(JSON.stringify(JSON.parse(text)))
  const hash = sha256(identity.toString()).slice(0, 16)
  // The highest quality, the default, takes thirty times as long for a tenth less.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 }
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(identity, { params }), promisify(gzip)(identity)])
  return {
    br: { content: br, etag: `"${hash}-br"` },
    gzip: { content: gzipped, etag: `"${hash}-gzip"` },
    identity: { content: identity, etag: `"${hash}"` },
  }
}

// RFC 9110, section 13.1.2: a list, or an asterisk; a weak tag matches too.
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
