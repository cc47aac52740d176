/** The documentation: the API reference, its pages, each as Markdown too, and `/llms.txt`; there whoever's frontend it is. */
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Negotiator from 'negotiator'
import type { Config } from '../../config.ts'
import type { App } from '../../http/endpoint.ts'
import { addVary } from '../../http/vary.ts'

const built = fileURLToPath(new URL('../../../web/dist/documentation/', import.meta.url))

/** What stands for `PUBLIC_URL` in the texts, so that what one copies works where one read it. */
const WRITTEN_URL = 'http://localhost:3000'

/** The pages are fixed text, and run nothing. */
export const DOCS_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const options = { config: { access: 'public' }, schema: { hide: true } } as const

/** The documentation has not been built. */
export class DocsMissingError extends Error {
  constructor() {
    super('The documentation is not built. Run npm run build:web (npm start does).')
  }
}

/**
 * Adds every file that was built, at the path that it has; of a page, without its ending. A file is read when it is
 * first asked for: a start waits for none.
 * @throws {DocsMissingError}
 */
export function addDocs(app: App, { publicUrl }: Pick<Config, 'publicUrl'>): void {
  if (!existsSync(join(built, 'built-from'))) throw new DocsMissingError()
  const read = reader(publicUrl)
  const files = readdirSync(built, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'built-from')
    .map((entry) => join(entry.parentPath, entry.name).slice(built.length))

  for (const file of files) {
    const type = types[extname(file)] ?? 'text/plain; charset=utf-8'
    if (file.endsWith('.html')) {
      const page = file.slice(0, -'.html'.length)
      app.get(`/${page}`, options, async (request, reply) => {
        addVary(reply, 'Accept')
        const wanted = new Negotiator(request.raw).mediaType(['text/html', 'text/markdown'])
        if (wanted === 'text/markdown') return reply.type('text/markdown; charset=utf-8').send(await read(`${page}.md`))
        return reply.header('content-security-policy', DOCS_POLICY).type(type).send(await read(file))
      })
      continue
    }
    app.get(`/${file}`, options, async (_request, reply) => {
      // The name changes with the content.
      if (file.startsWith('docs/assets/')) reply.header('cache-control', 'public, max-age=31536000, immutable')
      return reply.type(type).send(await read(file))
    })
  }
  app.get('/docs/', options, async (_request, reply) => reply.redirect('/docs', 308))
}

/** Reads each file once. Of all who are sent it, none holds a copy of their own. */
function reader(publicUrl: string): (file: string) => Promise<Buffer> {
  const contents = new Map<string, Promise<Buffer>>()
  const load = async (file: string): Promise<Buffer> => {
    const text = await readFile(join(built, file), 'utf8')
    // An origin: nothing in it needs escaping in a page.
    return Buffer.from(text.replaceAll(WRITTEN_URL, () => publicUrl))
  }
  return (file) => {
    const content = contents.get(file) ?? load(file)
    contents.set(file, content)
    // A file that could not be read now may be read later.
    content.catch(() => contents.delete(file))
    return content
  }
}
