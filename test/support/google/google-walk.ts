/** A sign-in with Google from the first address to the last: processes of the service, a certified provider, browsers. */
import assert from 'node:assert/strict'
import { freePort, temporaryFolder } from '../files.ts'
import { startOpenIdProvider } from './openid-provider.ts'
import type { OpenIdProvider, Person } from './openid-provider.ts'
import { queryBeside, serveIn } from '../process/served.ts'
import type { Served } from '../process/served.ts'
import type { Stop, WalkingBrowser } from '../browser/walking-browser.ts'

/** Where the frontend is. */
export const APP_URL = 'https://app.example.com'

/** The service and the provider, and the steps of a browser between them. */
export type GoogleWalk = Readonly<{
  provider: OpenIdProvider
  service: Served
  /** Other processes on the same database, behind the same address. */
  others: Served[]
  /** Walks to the provider's page. */
  toPage(browser: WalkingBrowser, redirectTo?: string): Promise<URL>
  /** Walks on from the page as this person, and stops before the callback. */
  toCallback(browser: WalkingBrowser, page: URL, who: Person): Promise<URL>
  /** The whole way. */
  signIn(browser: WalkingBrowser, who: Person, redirectTo?: string): Promise<Stop>
  /** The cookies of the flows that the browser has begun. */
  flowsOf(browser: WalkingBrowser): string[]
  /** How many accounts, identities and mails there are, and calls of the token endpoint. */
  counts(): Promise<Readonly<Record<'users' | 'identities' | 'queuedMails' | 'tokenCalls', number>>>
  stop(): Promise<void>
}>

/**
 * Starts all of it.
 * @param env settings of every process
 * @param others settings that further processes have of their own
 */
export async function startGoogleWalk(
  env: Record<string, string>,
  others: readonly Record<string, string>[],
): Promise<GoogleWalk> {
  const folder = temporaryFolder()
  const port = String(await freePort())
  const publicUrl = `http://127.0.0.1:${port}`
  const provider = await startOpenIdProvider([`${publicUrl}/api/v1/auth/google/callback`])
  // A public frontend needs a mail server; no mail of these walks is read.
  const settings = { ...provider.env, APP_URL, PUBLIC_URL: publicUrl, SMTP_URL: 'smtp://127.0.0.1:1', ...env }
  const service = await serveIn(folder.path, { ...settings, PORT: port })
  const running = await Promise.all(others.map((own) => serveIn(folder.path, { ...settings, ...own })))

  const walk: GoogleWalk = {
    provider,
    service,
    others: running,
    async toPage(browser, redirectTo) {
      const query = redirectTo === undefined ? '' : `?${new URLSearchParams({ redirectTo }).toString()}`
      const page = await browser.go(`${service.baseUrl}/auth/google/start${query}`)
      assert.equal(page.text, 'Who are you?')
      return page.url
    },
    async toCallback(browser, page, who) {
      const { next, text } = await browser.go(provider.logIn(page, who), isCallback)
      assert.ok(next !== undefined && isCallback(next), text)
      return next
    },
    async signIn(browser, who, redirectTo) {
      return browser.go(await walk.toCallback(browser, await walk.toPage(browser, redirectTo), who))
    },
    flowsOf: (browser) =>
      browser
        .cookiesFor(`${service.baseUrl}/auth/google/callback`)
        .filter((cookie) => cookie.startsWith('google-flow-')),
    async counts() {
      const [rows] = await queryBeside(
        folder.path,
        `select (select count(*) from users) as users, (select count(*) from identities) as identities,
          (select count(*) from queued_mails) as queued_mails`,
      )
      const { users, identities, queued_mails: queuedMails } = rows
      return { users, identities, queuedMails, tokenCalls: provider.tokenCalls.length }
    },
    async stop() {
      await Promise.all([service, ...running].map((served) => served.stop()))
      await provider.close()
      folder.remove()
    },
  }
  return walk
}

let people = 0

/** Somebody whom nobody has seen before. */
export function newPerson(changes: Partial<Person> = {}): Person {
  people += 1
  return { sub: `person-${people}`, email: `person-${people}@gmail.com`, ...changes }
}

/** The same address at another process, as behind a load balancer. */
export const at = (served: Served | undefined, url: URL) => new URL(url.pathname + url.search, served?.origin)

/** What was answered as JSON. */
export const bodyOf = ({ text }: Stop) => JSON.parse(text)

function isCallback(url: URL): boolean {
  return url.pathname.endsWith('/auth/google/callback')
}
