/** A complete sign-in with Google: the service, a certified OpenID provider, and browsers. */
import assert from 'node:assert/strict'
import { freePort, temporaryFolder } from '../files.ts'
import { startOpenIdProvider } from './openid-provider.ts'
import type { OpenIdProvider, Person } from './openid-provider.ts'
import { queryDatabase, serveIn } from '../process/served.ts'
import type { Served } from '../process/served.ts'
import type { Stop, WalkingBrowser } from '../browser/walking-browser.ts'

export const APP_URL = 'https://app.example.com'

export type GoogleWalk = Readonly<{
  provider: OpenIdProvider
  service: Served
  toPage(browser: WalkingBrowser, redirectTo?: string): Promise<URL>
  /** Logs in as this person and stops before the callback. */
  toCallback(browser: WalkingBrowser, page: URL, who: Person): Promise<URL>
  signIn(browser: WalkingBrowser, who: Person, redirectTo?: string): Promise<Stop>
  /** The cookies of the flows this browser has started. */
  flowsOf(browser: WalkingBrowser): string[]
  /** Replaces the process by another one, with these settings in place of those of the start. */
  restart(env?: Record<string, string>): Promise<void>
  counts(): Promise<Readonly<Record<'users' | 'identities' | 'queuedMails' | 'tokenCalls', number>>>
  stop(): Promise<void>
}>

export async function startGoogleWalk(env: Record<string, string>): Promise<GoogleWalk> {
  const folder = temporaryFolder()
  const port = String(await freePort())
  const publicUrl = `http://127.0.0.1:${port}`
  const provider = await startOpenIdProvider([`${publicUrl}/api/v1/auth/google/callback`])
  // A public frontend requires a mail server; no mail is read here.
  const base = { ...provider.env, APP_URL, PUBLIC_URL: publicUrl, PORT: port, SMTP_URL: 'smtp://127.0.0.1:1', ...env }
  let service = await serveIn(folder.path, base)

  const walk: GoogleWalk = {
    provider,
    get service() {
      return service
    },
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
      const [rows] = await queryDatabase(
        folder.path,
        `select (select count(*) from users) as users, (select count(*) from identities) as identities,
          (select count(*) from queued_mails) as queued_mails`,
      )
      const { users, identities, queued_mails: queuedMails } = rows
      return { users, identities, queuedMails, tokenCalls: provider.tokenCalls.length }
    },
    async restart(changes = {}) {
      await service.stop()
      service = await serveIn(folder.path, { ...base, ...changes })
    },
    async stop() {
      await service.stop()
      await provider.close()
      folder.remove()
    },
  }
  return walk
}

let people = 0

/** A person without an account. */
export function newPerson(changes: Partial<Person> = {}): Person {
  people += 1
  return { sub: `person-${people}`, email: `person-${people}@gmail.com`, ...changes }
}

export const bodyOf = ({ text }: Stop) => JSON.parse(text)

function isCallback(url: URL): boolean {
  return url.pathname.endsWith('/auth/google/callback')
}
