/** Where the pages are; nothing else is ever gone to by these pages' own choice. */
import { pageList } from './page-list.ts'
import type { Page } from './page-list.ts'

type Pages = typeof pageList
type Name<Kind extends Page['kind']> = {
  [Each in keyof Pages]: Pages[Each]['kind'] extends Kind ? Each : never
}[keyof Pages]

/** The path of every page. */
export const addresses = Object.fromEntries(Object.entries(pageList).map(([name, { path }]) => [name, path])) as {
  readonly [Each in keyof Pages]: Pages[Each]['path']
}

/** The paths of the pages of a kind. */
export type PathOf<Kind extends Page['kind']> = Pages[Name<Kind>]['path']

const behindSignIn: ReadonlySet<string> = new Set(
  Object.values(pageList)
    .filter(({ kind }) => kind === 'behind-sign-in')
    .map(({ path }) => path),
)

/**
 * The page to go to after a sign-in.
 * @param asked comes from an address, so it may name anything: only a page of ours is gone to
 */
export function pageAfterSignIn(asked: string | null | undefined): string {
  return asked && behindSignIn.has(asked) ? asked : addresses.apiAccess
}

/** Where to sign in to come back to this page. */
export function signInFor(page: string): string {
  return page === addresses.apiAccess
    ? addresses.signIn
    : `${addresses.signIn}?${new URLSearchParams({ next: page }).toString()}`
}

/** Goes to another page. @param how `replace`: the button "back" does not lead here again */
export function goTo(url: string, how?: 'replace'): Promise<never> {
  if (how === 'replace') location.replace(url)
  else location.assign(url)
  // The page is being left: what waits for this must not go on.
  return new Promise(() => {})
}
