/** The paths of the pages, and navigation between them. */
import { pageList } from './page-list.ts'
import type { Page } from './page-list.ts'

type Pages = typeof pageList
type Name<Kind extends Page['kind']> = {
  [Each in keyof Pages]: Pages[Each]['kind'] extends Kind ? Each : never
}[keyof Pages]

export const paths = Object.fromEntries(Object.entries(pageList).map(([name, { path }]) => [name, path])) as {
  readonly [Each in keyof Pages]: Pages[Each]['path']
}

/** The documentation, in English only. */
export const docsUrl = '/docs'

export type PathOf<Kind extends Page['kind']> = Pages[Name<Kind>]['path']

const patterns = Object.values(pageList).map(({ path, kind }) => ({
  path,
  kind,
  // The same ids as the service's (src/api/web-app/web-app.ts).
  pattern: new RegExp(`^${path.replace(':id', '[\\w-]{1,64}')}$`),
}))

/** The entry of the page list for the path of a URL. */
export const pageAtPath = (pathname: string): Readonly<{ path: string; kind: Page['kind'] }> | undefined =>
  patterns.find(({ pattern }) => pattern.test(pathname))

/** @param id the record id of an API key */
export const keyPage = (id: string): string => paths.apiKey.replace(':id', id)

/**
 * Returns the page to open after a sign-in.
 * @param asked untrusted, from the URL: used only if it is one of our pages
 */
export function pageAfterSignIn(asked: string | null | undefined): string {
  return asked && pageAtPath(asked)?.kind === 'behind-sign-in' ? asked : paths.home
}

/** URL of the sign-in page that returns to `page`. */
export function signInFor(page: string): string {
  return page === paths.home ? paths.signIn : `${paths.signIn}?${new URLSearchParams({ next: page }).toString()}`
}

/** @param how `replace` removes the current page from the history */
export function goTo(url: string, how?: 'replace'): Promise<never> {
  if (how === 'replace') location.replace(url)
  else location.assign(url)
  // Never resolves: the page is unloading, so callers must not continue.
  return new Promise(() => {})
}
