/** Every mail as a mail program shows it: narrow and wide, light and dark, in both languages. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { disable } from '../support/accounts/disabled.ts'
import { agents } from '../support/accounts/sessions.ts'
import { createKey } from '../support/accounts/keys.ts'
import { violationsOf } from '../support/browser/axe.ts'
import { startBrowser } from '../support/browser/browser.ts'
import { recipientsOf } from '../support/database/state.ts'
import { startGoogleService } from '../support/google/google.ts'
import type { GoogleService } from '../support/google/google.ts'
import { connect } from '../support/google/identities.ts'
import { buttonIn, pressNotMe } from '../support/mail/buttons.ts'
import { flowingText, linkIn } from '../support/mail/smtp.ts'
import type { ReceivedMail } from '../support/mail/smtp.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const LONG_NAME = 'W'.repeat(100)
let service: GoogleService
let browser: Browser

before(async () => {
  service = await startGoogleService()
  browser = await startBrowser()
})
after(async () => {
  await browser.close()
  await service.close()
})

/** One mail of each template to an address, by what it is. */
async function everyMail(language: string): Promise<Record<string, ReceivedMail>> {
  const email = `${language}@example.com`
  const headers = { 'accept-language': language, 'user-agent': FIREFOX }
  const nextMail = (holding = '') => service.smtp.mailTo(email, undefined, holding)
  const ask = () => service.call('POST /auth/request', { body: { email }, headers })
  await service.call('POST /auth/api/signup', { body: { email }, headers })
  const signup = await nextMail()
  await ask()
  const signIn = await nextMail()
  const { body } = await service.call(`GET /auth/verify${linkIn(signIn).search}`, { headers })
  const key = await createKey(service, body.token, { name: LONG_NAME })
  const keys = await nextMail(key.apiKey.keyId)
  await connect(service, body.token, { sub: language, email: `${language}.${'x'.repeat(50)}@third.example` })
  const google = await nextMail('third.example')
  const credential = service.issuer.sign(service.issuer.claims({ sub: language }))
  const onPhone = { ...headers, 'user-agent': agents['Safari on iOS'] }
  await service.call('POST /auth/google/onetap', { body: { credential }, headers: onPhone })
  const newBrowser = await nextMail('Safari')
  await pressNotMe(service, buttonIn(signIn, 'not-me'))
  await ask()
  const paused = await nextMail('resume-mail')
  await recipientsOf(service)
  service.clock.advance(2 * 24 * 3600 * 1000)
  await disable(service, email)
  await ask()
  await recipientsOf(service)
  return { signup, signIn, keys, google, newBrowser, paused, disabled: await nextMail() }
}

// A mail is shown inside the mail program's page, which has the landmarks.
const AXE = { rules: { region: { enabled: false }, 'landmark-one-main': { enabled: false } } }

test('every mail fits 320 and 600 pixels, light and dark, with one button, and loads nothing', async () => {
  const requests: string[] = []
  const context = await browser.newContext()
  const page = await context.newPage()
  page.on('request', (request) => requests.push(request.url()))
  for (const language of ['en', 'ro']) {
    for (const [kind, { message }] of Object.entries(await everyMail(language))) {
      const backgrounds = new Set<string>()
      for (const [width, colorScheme] of [
        [320, 'light'],
        [320, 'dark'],
        [600, 'light'],
        [600, 'dark'],
      ] as const) {
        const what = `${kind} in ${language}, ${width} px, ${colorScheme}`
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme })
        await page.setContent(message.html ?? '')
        // The width changes no colour and no structure.
        if (width === 320) {
          const violations = await violationsOf(page, AXE)
          assert.deepEqual(
            violations.flatMap(({ id, nodes }) => nodes.map(({ failureSummary }) => `${id}: ${failureSummary}`)),
            [],
            what,
          )
        }
        const pageWidth = await page.evaluate<number>('document.documentElement.scrollWidth')
        assert.equal(pageWidth, width, what)
        const heights = await page.evaluate<number[]>(
          `[...document.querySelectorAll('.button a')].map((button) => button.getBoundingClientRect().height)`,
        )
        assert.deepEqual(heights.length, kind === 'disabled' ? 0 : 1, what)
        for (const height of heights) assert.ok(height >= 44, `${what}: the button is ${height} px high`)
        backgrounds.add(
          await page.evaluate<string>(`getComputedStyle(document.querySelector('.card')).backgroundColor`),
        )
      }
      assert.equal(backgrounds.size, 2, `${kind} has no dark colours`)
      for (const line of message.text?.split('\n') ?? [])
        assert.ok(line.length <= 76 || /^https?:\S+$/.test(line) || line.includes(LONG_NAME), line)
    }
  }
  assert.deepEqual(requests, [])
  await context.close()
})

test('a sign-in mail names browser and network of its request, and never the whole address', async () => {
  const email = 'cia@example.com'
  const headers = { 'user-agent': FIREFOX }
  await service.call('POST /auth/request', { body: { email }, headers })
  const mail = await service.smtp.mailTo(email)
  for (const part of [flowingText(mail), mail.message.html?.replace(/<[^>]*>|\s+/g, ' ') ?? '']) {
    assert.match(part, /Browser:? +Firefox on Linux +Network:? +127\.0\.0\.0\/24/)
    assert.doesNotMatch(part, /127\.0\.0\.1(?!:)|Mozilla|145/)
  }
})
