/** The web app in Chromium against a service in its own process; a browser error or policy violation fails the test. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import { startBrowser } from './browser.ts'
import { callAt } from '../http/call.ts'
import type { Answer, Call } from '../http/call.ts'
import { freePort, temporaryFolder } from '../files.ts'
import { runCli } from '../process/process.ts'
import { openSqliteFile } from '../process/served.ts'
import { until } from '../until.ts'

/** How a page's browser differs from the default: English, light, 1180 pixels wide. */
export type Look = Readonly<{
  locale?: string
  colorScheme?: 'light' | 'dark'
  width?: number
  userAgent?: string
  /** Origin of an application frontend that the test may navigate to. */
  frontend?: string
}>

/** A page in its own browser context, which records every error of any of its tabs. */
export type OpenPage = Readonly<{
  page: Page
  context: BrowserContext
  /** Fails on a policy violation, a script error, a console error, or a request to another origin. */
  assertClean(): Promise<void>
}>

type StoredLink = Readonly<{ title: string; reference?: string; expiresAtMs?: number }>

export type Web = Readonly<{
  /** The origin under which a person opens the service. */
  origin: string
  browser: Browser
  /** Opens a blank page; `page.goto('/dashboard')` then resolves against the service. */
  openPage(look?: Look): Promise<OpenPage>
  /** The next link mailed to this address that contains `holding` and that no earlier call returned. */
  mailedLink(email: string, holding?: string): Promise<string>
  /**
   * Signs in through the pages: address, link from the mail, click. A new person ends at the onboarding.
   * @param name sets the account's name by the API and opens the dashboard
   * @returns the access token
   */
  signIn(page: Page, email: string, name?: string): Promise<string>
  /**
   * Signs in with Google by the API, without a page, and sets the account's name. Returns the access token.
   * @param userAgent of the browser that the service takes it for; otherwise a program
   */
  signInWithGoogle(email: string, name?: string, userAgent?: string): Promise<string>
  /** Calls the API as a program, for example `callApi('POST /auth/api/signup', { body })`. */
  callApi(route: string, call?: Call): Promise<Answer>
  /** Puts payment links of this person into the database, the first one the oldest, all older than now. */
  storeLinks(token: string, links: readonly StoredLink[]): void
  /** Changes rows in a way that the API cannot. */
  execute(statement: string, ...values: string[]): void
  stop(): Promise<void>
}>

const withGoogle = new Set(['/', '/connect-google'])

/** Starts both on a new database; mail goes to the development mailbox, Google is the local stand-in. */
export async function startWeb(env: Readonly<Record<string, string>> = {}): Promise<Web> {
  const folder = temporaryFolder()
  const port = String(await freePort())
  const origin = `http://localhost:${port}`
  const service = runCli(['serve'], { cwd: folder.path, env: { PORT: port, LOG_LEVEL: 'warn', ...env } })
  const [browser] = await Promise.all([startBrowser(), service.waitFor('is listening on')])
  const callApi = (route: string, call?: Call): Promise<Answer> => callAt(`${origin}/api/v1`, route, call)
  const returnedLinks = new Set<string>()

  async function mailedLink(email: string, holding = '/auth/verify?'): Promise<string> {
    let link: string | undefined
    await until(async () => {
      const { text } = await callAt(origin, 'GET /dev/mailbox')
      // The mailbox lists the newest mail first; links are returned in order of arrival.
      for (const mail of text.split('<article>').slice(1).toReversed()) {
        const links = [...mail.matchAll(/<a href="(http[^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
        link = links.find((href) => href.includes(holding) && !returnedLinks.has(href))
        if (mail.includes(` To ${email},`) && link !== undefined) return true
      }
      return false
    }, `a mail with ${holding} to ${email}`)
    returnedLinks.add(link ?? '')
    return link ?? ''
  }

  async function nameAccount(token: string, name: string): Promise<void> {
    const named = await callApi('PATCH /users/me', { token, body: { name } })
    assert.equal(named.status, 200, named.text)
  }

  return {
    origin,
    browser,
    mailedLink,
    callApi,
    openPage: (look) => open(browser, origin, look),

    async signIn(page, email, name) {
      await page.goto('/')
      await page.locator('#email').fill(email)
      await page.locator('form').getByRole('button').click()
      await page.goto(await mailedLink(email))
      await page.getByRole('button', { name: /^(Sign in|Intră în cont)$/ }).click()
      await page.waitForURL(/\/(onboarding|dashboard)/)
      const token = await page.evaluate<string>('localStorage.getItem("token")')
      if (name !== undefined) {
        // The onboarding leaves by itself once it sees the name, which would interfere with the next navigation.
        if (new URL(page.url()).pathname === '/onboarding') await page.locator('form').waitFor()
        await nameAccount(token, name)
        await page.goto('/dashboard')
      }
      return token
    },

    async signInWithGoogle(email, name, userAgent) {
      const query = new URLSearchParams({ email, workspace: 'on' }).toString()
      const { body } = await callAt(origin, `GET /dev/google/gsi/credential?${query}`)
      const headers = userAgent === undefined ? {} : { 'user-agent': userAgent }
      const signedIn = await callApi('POST /auth/google/onetap', { body, headers })
      assert.equal(signedIn.status, 200, signedIn.text)
      if (name !== undefined) await nameAccount(signedIn.body.token, name)
      return signedIn.body.token
    },

    storeLinks(token, links) {
      const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }
      const file = openSqliteFile(folder.path)
      const store = file.prepare(`insert into payment_links
        (id, user_id, title, reference, amount, currency, created_at_ms, expires_at_ms, claimed_at_ms)
        select ?, id, ?, ?, 100, 'RON', ?, ?, claimed_at_ms from users where id = ?`)
      const nowMs = Date.now()
      file.exec('begin immediate')
      for (const [n, { title, reference = null, expiresAtMs = null }] of links.entries()) {
        const { changes } = store.run(randomUUID(), title, reference, nowMs - links.length + n, expiresAtMs, sub)
        assert.equal(changes, 1)
      }
      file.exec('commit')
      file.close()
    },

    execute(statement, ...values) {
      const file = openSqliteFile(folder.path)
      file.prepare(statement).run(...values)
      file.close()
    },

    async stop() {
      await browser.close()
      service.kill('SIGTERM')
      const { code, output } = await service.exited
      folder.remove()
      assert.equal(code, 0, output)
    },
  }
}

async function open(browser: Browser, origin: string, look: Look = {}): Promise<OpenPage> {
  const { locale = 'en-GB', colorScheme = 'light', width = 1180, userAgent, frontend } = look
  const options: BrowserContextOptions = {
    baseURL: origin,
    locale,
    colorScheme,
    viewport: { width, height: width < 600 ? 740 : 900 },
    // A page that fades in has other colours for a moment.
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...(userAgent === undefined ? {} : { userAgent }),
  }
  const context = await browser.newContext(options)
  const faults: string[] = []
  await context.exposeBinding('reportViolation', (_source, violation: string) => void faults.push(violation))
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', (event) =>
      reportViolation('policy: ' + event.effectiveDirective + ' refused ' + event.blockedURI + ' on ' + location.pathname))`,
  )
  context.on('weberror', (error) => faults.push(`script: ${error.error().message}`))
  context.on('console', (message) => {
    // Chromium logs every refused call as a console error; the page itself reports those to the person.
    const { url } = message.location()
    const isRefusal =
      ['/api/v1/', '/pay/'].some((path) => url.startsWith(origin + path)) && message.text().startsWith('Failed to load')
    if (message.type() === 'error' && !isRefusal) faults.push(`console: ${message.text()} ${url}`)
  })
  context.on('request', (request) => {
    if (!isOwn(request, origin) && new URL(request.url()).origin !== frontend) faults.push(`request: ${request.url()}`)
  })

  return {
    page: await context.newPage(),
    context,
    async assertClean() {
      // A report sent before this answer has arrived with it, even while the page is navigating.
      for (const page of context.pages()) await page.locator('html').waitFor({ state: 'attached' })
      assert.deepEqual(faults, [])
    },
  }
}

// The stand-in for Google is at the address the service listens on.
function isOwn(request: Request, origin: string): boolean {
  const url = new URL(request.url())
  if (url.origin === origin) return true
  const standIn = `http://127.0.0.1:${new URL(origin).port}`
  if (url.origin !== standIn || !url.pathname.startsWith('/dev/')) return false
  if (request.isNavigationRequest()) return true
  const frameUrl = new URL(request.frame().url())
  return frameUrl.origin === standIn || withGoogle.has(frameUrl.pathname)
}
