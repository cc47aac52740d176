import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { referenceOf } from './reference.ts'
import type { Document } from './reference.ts'
import { linksIn, resolveLink, withLinks } from './links.ts'
import { addressOf, isConfiguration, pagesIn, REFERENCE } from './pages.ts'
import { renderPage } from './render.ts'

/** The service's URL in the sources; the server replaces it with its own. */
const WRITTEN_URL = 'http://localhost:3000'

const NOT_FOUND = '# Page not found\n\nThe page may have moved. The navigation lists all pages.\n'

/** A page before rendering; links name files, relative to the page or from the repository's root. */
type Text = Readonly<{ path: string; source: string; markdown: string }>

/**
 * @param root the repository
 * @param folder is emptied first
 * @throws when a link leads to a file that is not served
 */
export function buildDocs(root: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  // The name contains a hash of the content, so that it can be cached for ever.
  const asset = (name: string, ending: string, content: string): string => {
    const path = `/docs/assets/${name}-${createHash('sha256').update(content).digest('base64url').slice(0, 8)}.${ending}`
    write(path, content)
    return path
  }
  const assets = {
    style: asset('docs', 'css', read('web/src/style.css') + read('web/src/docs.css')),
    icon: asset('icon', 'svg', read('web/src/icon.svg')),
  }

  const texts = textsOf(root, read)
  for (const { path, source, markdown } of texts) {
    const as = (form: 'html' | 'md') => withLinks(markdown, (target) => servedLink(source, target, form))
    write(`${path}.html`, renderPage(as('html'), path, assets))
    write(`${path}.md`, as('md'))
  }
  write('/not-found.html', renderPage(NOT_FOUND, null, assets))
  // Absolute links, because the file is read without its address.
  write(
    '/llms.txt',
    withLinks(read('scripts/docs/llms.md'), (target) => WRITTEN_URL + servedLink('llms.md', target, 'md')),
  )
  const linked = texts.flatMap(({ source, markdown }) =>
    linksIn(markdown).map(({ target }) => resolveLink(source, target)?.file ?? ''),
  )
  for (const file of new Set(linked.filter(isConfiguration))) write(`/docs/${file}`, read(file))
}

export function textsOf(root: string, read = (file: string) => readFileSync(join(root, file), 'utf8')): Text[] {
  const files = pagesIn(root).map(({ source, path }) => ({ path, source, markdown: read(source) }))
  const document = JSON.parse(read('openapi.json')) as Document
  // Its links are relative to the root.
  return [{ path: REFERENCE, source: 'reference.md', markdown: referenceOf(document, 'docs/errors.md') }, ...files]
}

function servedLink(source: string, target: string, form: 'html' | 'md'): string {
  const link = resolveLink(source, target)
  if (link === undefined) return target
  const { file, fragment } = link
  const address = file === source ? '' : addressOf(file, form)
  if (address === undefined) throw new Error(`${source} links to ${file}, which is not served`)
  return fragment === '' ? address : `${address}#${fragment}`
}
