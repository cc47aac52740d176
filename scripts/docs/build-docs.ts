import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { bundleScript } from './bundle.ts'
import type { Document } from './document.ts'
import { renderNotFound, renderPage } from './layout.ts'
import type { Assets } from './layout.ts'
import { linksIn, resolveLink, withLinks } from './links.ts'
import { addressOf, BACKGROUND, isConfiguration, navigationOf, pagesIn } from './pages.ts'
import type { NavigationGroup } from './pages.ts'
import { referenceOf } from './reference.ts'
import { searchIndexOf } from './search-index.ts'

/** The service's URL in the sources; the server replaces it with its own. */
const WRITTEN_URL = 'http://localhost:3000'

/** The style of the web app, and what the documentation adds; a later one wins. */
const STYLES = [
  'style',
  'docs/frame',
  'docs/text',
  'docs/operations',
  'docs/navigation',
  'docs/search',
  'docs/print',
].map((name) => `${name}.css`)

/** A page before rendering; links name files, relative to the page's own. */
type Text = Readonly<{ path: string; source: string; markdown: string; isReference: boolean }>

/** @param navigation what its pages are called there, and in which order they are read */
export type Texts = Readonly<{ texts: readonly Text[]; navigation: readonly NavigationGroup[] }>

/**
 * @param root the repository
 * @param folder is emptied first
 * @throws when a link leads to a file that is not served
 */
export async function buildDocs(root: string, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const { texts, navigation } = textsOf(root, read)
  const pages = texts.map(({ path, source, markdown, isReference }) => {
    const as = (form: 'html' | 'md') => withLinks(markdown, (target) => servedLink(source, target, form))
    const group = navigation.find((one) => one.pages.some(([page]) => page === path))?.title ?? BACKGROUND
    return { path, isReference, group, markdown: as('html'), twin: as('md') }
  })
  const assets = await writeAssets(root, read, write, searchIndexOf(pages))
  for (const page of pages) {
    write(`${page.path}.html`, renderPage(page, navigation, assets))
    write(`${page.path}.md`, page.twin)
  }
  write('/not-found.html', renderNotFound(navigation, assets))
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

type Write = (path: string, content: string) => void

async function writeAssets(root: string, read: (file: string) => string, write: Write, index: string): Promise<Assets> {
  // The name contains a hash of the content, so that it can be cached for ever.
  const asset = (name: string, ending: string, content: string): string => {
    const path = `/docs/assets/${name}-${createHash('sha256').update(content).digest('base64url').slice(0, 8)}.${ending}`
    write(path, content)
    return path
  }
  const script = await bundleScript(root, 'web/src/docs/main.ts')
  const theme = await bundleScript(root, 'web/src/docs/theme.ts')
  // The build of dist derives the licence notices from it.
  write('/modules.docs.json', JSON.stringify(script.modules.map((id) => relative(root, id)).toSorted()))
  return {
    style: asset('docs', 'css', STYLES.map((file) => read(`web/src/${file}`)).join('')),
    icon: asset('icon', 'svg', read('web/src/icon.svg')),
    theme: asset('theme', 'js', theme.code),
    script: asset('docs', 'js', script.code),
    index: asset('search', 'json', index),
  }
}

export function textsOf(root: string, read = (file: string) => readFileSync(join(root, file), 'utf8')): Texts {
  const files = pagesIn(root).map(({ source, path }) => ({ path, source, markdown: read(source), isReference: false }))
  const reference = referenceOf(JSON.parse(read('openapi.json')) as Document, WRITTEN_URL).map(
    ({ source, title, markdown }) => ({
      path: addressOf(source, 'html') ?? '',
      source,
      title,
      markdown,
      isReference: source !== 'docs/api.md',
    }),
  )
  return {
    texts: [...reference, ...files],
    navigation: navigationOf(reference.map(({ path, title }) => [path, title])),
  }
}

function servedLink(source: string, target: string, form: 'html' | 'md'): string {
  const link = resolveLink(source, target)
  if (link === undefined) return target
  const { file, fragment } = link
  const address = file === source ? '' : addressOf(file, form)
  if (address === undefined) throw new Error(`${source} links to ${file}, which is not served`)
  return fragment === '' ? address : `${address}#${fragment}`
}
