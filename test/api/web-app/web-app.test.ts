import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { contentSecurityPolicy } from '../../../src/api/web-app/content-security-policy.ts'
import { assertUncacheable } from '../../support/http/answers.ts'
import { startGoogleService } from '../../support/google/google.ts'
import type { GoogleService } from '../../support/google/google.ts'
import { startService } from '../../support/service.ts'
import type { Answer, Service } from '../../support/service.ts'
import { NAVIGATION } from '../../support/browser/walking-browser.ts'

// Contains every character that could break an HTML attribute or a replacement pattern.
const FRONTEND = 'https://app.example/start?a=1&b="$&$\'$`c'
const forAll = ['/confirm', '/not-me', '/resume-mail', '/confirm-email', '/undo-email']
const behindSignIn = [
  '/connect-google',
  '/authorize',
  '/onboarding',
  ...['', '/profile', '/payment-links', '/activity', '/quick-start'].map((section) => `/dashboard${section}`),
]
const PRELOAD =
  /<link rel="modulepreload" crossorigin href="\/assets\/pages-behind-sign-in\.en-[^"]+\.js">\s*<link rel="stylesheet" crossorigin href="\/assets\/pages-behind-sign-in-[^"]+\.css">/
const pages = ['/', '/signed-in', ...forAll, ...behindSignIn]

let builtIn: Service
let withFrontend: Service
let withGoogle: GoogleService

before(async () => {
  builtIn = await startService()
  withFrontend = await startService({ APP_URL: FRONTEND })
  withGoogle = await startGoogleService()
})
after(async () => {
  for (const service of [builtIn, withFrontend, withGoogle]) await service.close()
})

async function get({ origin }: Pick<Service, 'origin'>, path: string, sent = {}): Promise<Answer> {
  const response = await fetch(origin + path, { redirect: 'manual', headers: sent })
  const { status, headers } = response
  return { status, headers, text: await response.text(), body: undefined }
}

/** The settings in a page, decoded as a browser does. */
function settingsIn(page: Answer): any {
  const [, text = ''] = /data-settings="([^"]*)"/.exec(page.text) ?? []
  return JSON.parse(text.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

test('pages are not cached, send no referrer, cannot be framed, and have the policy without Google', async () => {
  for (const path of pages) {
    const page = await get(builtIn, path)
    assert.equal(page.status, 200, path)
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(page.headers.get('content-security-policy'), contentSecurityPolicy())
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(page.headers.get('x-frame-options'), 'DENY')
    assert.equal(page.headers.get('cross-origin-opener-policy'), 'same-origin')
    assert.equal(page.headers.get('set-cookie'), null)
    assertUncacheable(page)
  }
})

test('Google’s sources are allowed only on the pages with its button, and only if Google is configured', async () => {
  const { issuer } = withGoogle.deps.google?.settings ?? assert.fail('Google is not configured')
  for (const path of pages) {
    const { headers } = await get(withGoogle, path)
    const runsThere = path === '/' || path === '/connect-google'
    const policy = contentSecurityPolicy(runsThere ? issuer : undefined)
    assert.equal(headers.get('content-security-policy'), policy, path)
    const opener = runsThere ? 'same-origin-allow-popups' : 'same-origin'
    assert.equal(headers.get('cross-origin-opener-policy'), opener, path)
  }
})

test('pages load nothing from other origins, have no inline script, and are not indexed [M9]', async () => {
  for (const path of pages) {
    const { text } = await get(withGoogle, path)
    assert.doesNotMatch(text, /<script(?![^>]*src="\/)|<style|\son\w+=|style="|(src|href)="(?!\/)/)
    assert.match(text, /<meta name="robots" content="noindex">/)
    assert.doesNotMatch(text, /\{\{/, 'every placeholder is replaced')
    assert.doesNotMatch(text, /<form/, 'no form, so a scanner that submits forms has no effect')
  }
})

test('no page contains anything of the request, and all pages have the same content', async () => {
  const { text } = await get(builtIn, '/')
  for (const path of pages) {
    const answer = await get(builtIn, `${path}?token=%22%3E%3Cscript%3E&redirectTo=https://evil.example`)
    assert.equal(answer.text.replace(PRELOAD, '').replaceAll(/\s/g, ''), text.replaceAll(/\s/g, ''), path)
    // Pages behind the sign-in preload their second script.
    assert.equal(PRELOAD.test(answer.text), behindSignIn.includes(path), path)
  }
})

test('a page is in the language and theme of the cookies, and its scripts hold that language only', async () => {
  for (const path of [...pages, '/nope']) {
    const headers = { ...NAVIGATION, cookie: 'language=ro; theme=dark', 'accept-language': 'en' }
    const page = await get(builtIn, path, headers)
    assert.equal(page.headers.get('content-language'), 'ro', path)
    assert.match(page.headers.get('vary') ?? '', /\bAccept-Language, Cookie\b/)
    assert.match(page.text, /<html lang="ro" data-theme="dark">/)
    assert.match(page.text, /<meta name="color-scheme" content="dark">/)
    const scripts = [...page.text.matchAll(/"\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name)
    assert.ok(scripts.length >= 2)
    for (const script of scripts) assert.match(script, /\.ro-/, path)
  }
  const negotiated = await get(builtIn, '/', { 'accept-language': 'ro-RO, en;q=0.5' })
  assert.match(negotiated.text, /<html lang="ro" data-theme="system">/)
  assert.match(negotiated.text, /<meta name="color-scheme" content="light dark">/)
})

test('a cookie with anything but a known value changes nothing in a page', async () => {
  const { text } = await get(builtIn, '/')
  const page = await get(builtIn, '/', { cookie: 'language="><script>; theme=$&' })
  assert.deepEqual([page.text, page.headers.get('content-language')], [text, 'en'])
})

test('an unknown path shows a 404 page to a browser and the JSON error to a program', async () => {
  for (const [service, path] of [
    [builtIn, '/nope'],
    [builtIn, '/dashboard/nope/'],
    [builtIn, '//evil.example/'],
    [withFrontend, '/dashboard'],
    [withFrontend, '/dashboard/profile'],
  ] as const) {
    const person = await get(service, path, NAVIGATION)
    assert.equal(person.status, 404, path)
    assert.equal(person.text, (await get(service, '/confirm')).text)
    assert.equal(person.headers.get('content-security-policy'), contentSecurityPolicy())
    assert.equal(person.headers.get('x-frame-options'), 'DENY')
    assertUncacheable(person)
    const program = await get(service, path)
    assert.equal(JSON.parse(program.text).error.code, 'NOT_FOUND', path)
  }
  const api = await get(builtIn, '/api/v1/nope', NAVIGATION)
  assert.equal(JSON.parse(api.text).error.code, 'NOT_FOUND', 'the API returns JSON to browsers too')
  const posted = await fetch(`${builtIn.origin}/nope`, { method: 'POST', headers: NAVIGATION })
  assert.equal(((await posted.json()) as { error: { code: string } }).error.code, 'NOT_FOUND')
})

test('a trailing slash redirects a browser to the page, and is a 404 for a program', async () => {
  for (const path of pages) {
    if (path === '/') continue
    const person = await get(builtIn, `${path}/?next=1`, NAVIGATION)
    assert.deepEqual([person.status, person.headers.get('location')], [308, `${path}?next=1`])
    assert.equal((await get(builtIn, `${path}/`)).status, 404)
  }
})

test('pages accept only GET and HEAD', async () => {
  for (const path of pages) {
    const head = await fetch(builtIn.origin + path, { method: 'HEAD' })
    assert.deepEqual([head.status, await head.text()], [200, ''])
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const refused = await fetch(builtIn.origin + path, { method })
      assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD'], `${method} ${path}`)
    }
  }
})

test('a page contains the public settings of the service and no secret', async () => {
  const { publicUrl } = builtIn.deps.config
  assert.deepEqual(settingsIn(await get(builtIn, '/')), {
    publicUrl,
    frontend: null,
    google: null,
    signup: 'open',
    mailbox: null,
  })
  const page = await get(withGoogle, '/')
  const { clientId, clientSecret, issuer } = withGoogle.deps.google?.settings ?? assert.fail('Google is not configured')
  assert.deepEqual(settingsIn(page).google, { clientId, clientScript: `${issuer}/gsi/client` })
  assert.ok(!page.text.includes(clientSecret))
})

test('with a separate frontend, mailed pages link to it exactly, and other pages do not exist', async () => {
  for (const path of forAll) {
    const page = await get(withFrontend, path)
    assert.equal(page.status, 200, path)
    assert.equal(settingsIn(page).frontend, new URL(FRONTEND).href)
  }
  const first = await get(withFrontend, '/')
  assert.deepEqual([first.status, first.headers.get('location')], [302, new URL(FRONTEND).href])
  for (const path of ['/signed-in', ...behindSignIn]) assert.equal((await get(withFrontend, path)).status, 404, path)
})
