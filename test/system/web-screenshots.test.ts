/** Screenshots of every page for the documentation, in both themes. `UPDATE_SCREENSHOTS=1` takes them again. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect, startApp } from '../support/accounts/apps.ts'
import { temporaryFolder } from '../support/files.ts'
import { settling } from '../support/browser/web-checks.ts'
import { storeUses, webKeys } from '../support/browser/web-keys.ts'
import { startWeb } from '../support/browser/web.ts'

const committed = join(import.meta.dirname, '../../docs/screenshots')
/** The largest file, in bytes. */
const LARGEST = 60_000
const themes = ['light', 'dark'] as const

test('every page has an up-to-date screenshot in docs/screenshots, in both themes, and there is no other file', async (t) => {
  const web = await startWeb()
  const folder = temporaryFolder()
  const target = process.env['UPDATE_SCREENSHOTS'] === '1' ? committed : folder.path
  mkdirSync(target, { recursive: true })
  const taken: string[] = []
  try {
    const owner = await web.signInWithGoogle('ana@gmail.com', 'Ana Ionescu')
    const make = async (route: string, body: object) => {
      const made = await web.callApi(route, { token: owner, body })
      assert.equal(made.status, 201, made.text)
      return made.body
    }
    await make('POST /auth/api-keys', { name: 'Billing server', expiresInDays: 365 })
    const agent = await make('POST /auth/api-keys', {
      name: 'Invoice agent',
      expiresInDays: 90,
      restrictions: { scopes: ['payment_links:read', 'payment_links:write'], dailyAmount: { EUR: 5000 } },
    })
    storeUses(web, agent.apiKey.id)
    await webKeys(web).exchange({ keyId: agent.apiKey.keyId, keySecret: agent.keySecret })
    await make('POST /payment-links', { amount: 245_000, title: 'Website design', reference: 'INV-2026-014' })
    const { paymentLink } = await make('POST /payment-links', { amount: 18_900, title: 'Yearly support' })
    await web.callApi('POST /auth/api/signup', { body: { email: 'new@gmail.com', keyName: 'Deploy script' } })
    const newcomer = await web.signInWithGoogle('new@gmail.com')

    for (const { name, domain, ...access } of [
      { name: 'Reports', domain: 'reports.example' },
      {
        name: 'Assistant',
        domain: 'assistant.example',
        scope: 'payment_links:read payment_links:write',
        resource: `${web.origin}/api/v1/mcp`,
        restrictions: { scopes: ['payment_links:read', 'payment_links:write'], dailyAmount: { EUR: 5000 } },
      },
    ]) {
      const app = await startApp(t, { client_name: name })
      await connect({ call: web.callApi }, owner, app, access)
      // Loopback is what a test can serve, and no domain that people see.
      web.execute(
        'update api_keys set client_id = ? where client_id = ?',
        `https://${domain}/client.json`,
        app.clientId,
      )
      web.execute('update security_events set detail = ? where detail = ?', domain, new URL(app.clientId).host)
    }

    for (const theme of themes) {
      const { page, context } = await web.openPage({ colorScheme: theme, width: 1024 })
      await page.setViewportSize({ width: 1024, height: 720 })
      const settle = settling(page)
      const session = await context.newCDPSession(page)
      const take = async (name: string): Promise<void> => {
        await settle()
        // WebP, a third of a PNG, which playwright cannot write itself.
        const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 85 })
        writeFileSync(join(target, `${name}-${theme}.webp`), data, 'base64')
        taken.push(`${name}-${theme}.webp`)
      }
      const takePage = async (name: string, path: string, token?: string): Promise<void> => {
        await page.goto('/healthz')
        await page.evaluate(token === undefined ? 'localStorage.clear()' : `localStorage.setItem('token', '${token}')`)
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await take(name)
      }
      await takePage('sign-in', '/')
      await page.getByLabel('E-mail address').fill('ana@gmail.com')
      await page.getByRole('button', { name: 'E-mail me a link' }).click()
      await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
      await take('check-your-mail')
      const link = new URL(await web.mailedLink('ana@gmail.com'))
      await takePage('confirm', `/confirm#token=${link.searchParams.get('token')}`)
      const notMe = new URL(await web.mailedLink('ana@gmail.com', '/not-me#token='))
      await takePage('not-me', `/not-me${notMe.hash}`)
      await takePage('resume-mail', '/resume-mail#token=x')
      await takePage('signed-in', '/signed-in')
      await takePage('pay', new URL(paymentLink.url).pathname)
      await takePage('onboarding', '/onboarding', newcomer)
      await takePage('connect-google', '/connect-google', owner)
      await takePage('home', '/dashboard', owner)
      await takePage('payment-links', '/dashboard/payment-links', owner)
      await page.getByRole('button', { name: 'Share: Website design' }).click()
      await page.getByRole('img', { name: 'QR code' }).waitFor()
      await take('payment-link')
      await takePage('connected-apps', '/dashboard/apps', owner)
      await takePage('activity', '/dashboard/activity', owner)
      await takePage('quick-start', '/dashboard/quick-start', owner)
      await takePage('api-key', `/dashboard/keys/${agent.apiKey.id}`, owner)
      await takePage('profile', '/dashboard/profile', owner)
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('Nightly export')
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('button', { name: 'I have stored the secret' }).waitFor()
      await take('key-secret')
    }
  } finally {
    await web.stop()
    folder.remove()
  }
  assert.ok(existsSync(committed), 'UPDATE_SCREENSHOTS=1 takes them')
  assert.deepEqual(readdirSync(committed).toSorted(), taken.toSorted())
  for (const name of taken) assert.ok(statSync(join(committed, name)).size < LARGEST, name)
})
