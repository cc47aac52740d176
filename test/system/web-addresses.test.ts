import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../support/until.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Web } from '../support/browser/web.ts'

/** Suffixes that make a joined path an address of another host, or a script. */
const SHAPES = [
  '//evil.example',
  '//evil.example/',
  '//evil.example/confirm',
  '///evil.example',
  '/\\evil.example',
  '/\\/evil.example',
  '//evil.example:443/a?b',
  '/%2f%2fevil.example',
  '/%2F/evil.example',
  '/%5cevil.example',
  '//user@evil.example/',
  '//localhost@evil.example/',
  '/.//evil.example',
  '/a/..//evil.example',
  '/javascript:alert(1)',
  '//javascript:alert(1)',
  '/javascript:%2f%2fevil.example/%0aalert(1)',
  '/https://evil.example/',
  '/https:evil.example',
  '/@evil.example',
  '/data:text/html,x',
  '//%09/evil.example',
  '/%0a/evil.example',
  '//evil%2eexample',
  '/__proto__',
  '/constructor',
]
const PAGES = [
  '/',
  '/confirm',
  '/signed-in',
  '/not-me',
  '/resume-mail',
  '/connect-google',
  '/authorize',
  '/onboarding',
  '/dashboard',
  '/dashboard/payment-links',
  '/dashboard/apps',
  '/dashboard/activity',
  '/dashboard/profile',
  '/dashboard/quick-start',
]
const FRAGMENT = '#token=x&error=__proto__&redirectTo=https://evil.example/&needsOnboarding=true'

let web: Web
let elsewhere: string
before(async () => {
  web = await startWeb()
  elsewhere = web.origin.replace('localhost', '127.0.0.1')
})
after(() => web.stop())

/** A drawn page, and every host except ours that it requested. */
async function openHostile(): Promise<{ page: Page; foreign: string[] }> {
  const { page, context } = await web.openPage()
  const foreign: string[] = []
  const isOwn = (url: string) => url.startsWith(`${web.origin}/`) || url.startsWith(`${elsewhere}/`)
  await context.route(
    (url) => !isOwn(url.href),
    (route) => route.abort(),
  )
  context.on('request', (request) => isOwn(request.url()) || foreign.push(request.url()))
  page.on('dialog', (dialog) => void (foreign.push(`dialog ${dialog.message()}`), dialog.dismiss()))
  page.on('pageerror', (error) => foreign.push(`script: ${error.message}`))
  return { page, foreign }
}

async function assertHarmless(page: Page, foreign: readonly string[], what: string): Promise<void> {
  await page.locator('main').first().waitFor()
  let found: string[] = []
  const read = async () => {
    found = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[href], [src], [action], [formaction]')].flatMap((element) =>
        ['href', 'src', 'action', 'formaction'].filter((name) => element.hasAttribute(name)).map((name) => new URL(element.getAttribute(name), document.baseURI).href))`,
    )
  }
  // A page behind the sign-in may be redirecting to it.
  await until(
    () =>
      read().then(
        () => found.length > 0,
        () => false,
      ),
    'a page with addresses',
  )
  for (const url of found) assert.ok([web.origin, elsewhere].includes(new URL(url).origin), `${what} leads to ${url}`)
  assert.equal(page.url().includes('#'), false, `${what}: ${page.url()} keeps its fragment`)
  assert.deepEqual(foreign, [], what)
}

for (const name of ['its own name', 'another name']) {
  describe(`opened by ${name}`, () => {
    const origin = () => (name === 'its own name' ? web.origin : elsewhere)

    test('an unknown path shows that there is no such page, and its only button leads to the first page', async () => {
      const { page, foreign } = await openHostile()
      for (const shape of SHAPES) {
        await page.goto('about:blank')
        await page.goto(origin() + shape + FRAGMENT)
        await page.getByRole('heading', { name: 'Page not found' }).waitFor()
        await assertHarmless(page, foreign, shape)
        assert.equal(await page.evaluate(`document.querySelector('a.button').href`), `${origin()}/`, shape)
      }
      await page.locator('a.button').click()
      await page.waitForURL(`${origin()}/`)
      assert.deepEqual(foreign, [])
      await page.close()
    })

    test('a page takes no address from its query or fragment', async () => {
      const { page, foreign } = await openHostile()
      for (const path of PAGES) {
        for (const target of ['//evil.example/', 'javascript:alert(1)']) {
          const query = new URLSearchParams({
            next: target,
            redirectTo: target,
            flow: target,
            connected: target,
            url: target,
          }).toString()
          await page.goto('about:blank')
          await page.goto(`${origin()}${path}?${query}${FRAGMENT}`)
          await assertHarmless(page, foreign, `${path} with ${target}`)
        }
      }
      await page.close()
    })
  })
}

test('a fragment added later is removed too, unless it names a part of the page', async () => {
  const { page, foreign } = await openHostile()
  await page.goto('/dashboard/quick-start')
  await page.locator('main').first().waitFor()
  await page.evaluate(`void (location.hash = 'access_token=secret')`)
  await until(() => !page.url().includes('#'), 'the fragment is removed')
  await page.evaluate(`void (location.hash = 'content')`)
  assert.equal(await page.evaluate('location.hash'), '#content')
  assert.deepEqual(foreign, [])
  await page.close()
})

test('under another host name, a page’s button leads to the same page at its own address, fragment included', async () => {
  const { page, foreign } = await openHostile()
  await page.goto(`${elsewhere}/confirm?a=b#token=x%26y&redirectTo=//evil.example`)
  const url = new URL((await page.locator('a.button').getAttribute('href')) ?? '')
  assert.deepEqual([url.origin, url.pathname, url.search], [web.origin, '/confirm', '?a=b'])
  assert.equal(new URLSearchParams(url.hash.slice(1)).get('token'), 'x&y')
  assert.deepEqual(foreign, [])
  await page.close()
})
