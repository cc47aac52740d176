/** The pages that people meet are fixed text under a strict policy: nothing of a request is ever in them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertForNoCache } from '../../support/answers.ts'
import { startService } from '../../support/service.ts'
import type { Answer, Service } from '../../support/service.ts'

// Everything an attribute and a replacement pattern could trip over.
const FRONTEND = 'https://app.example/start?a=1&b="$&$\'$`c'
let builtIn: Service
let withFrontend: Service

before(async () => {
  builtIn = await startService()
  withFrontend = await startService({ APP_URL: FRONTEND })
})
after(async () => {
  await builtIn.close()
  await withFrontend.close()
})

async function get({ origin }: Service, path: string): Promise<Answer> {
  const response = await fetch(origin + path)
  const { status, headers } = response
  return { status, headers, text: await response.text(), body: undefined }
}

const frontendIn = (page: Answer) => /data-frontend="([^"]*)"/.exec(page.text)?.[1]

test('each page and its parts are served as what they are, for no cache and no referrer', async () => {
  const types = {
    '/': 'text/html; charset=utf-8',
    '/confirm': 'text/html; charset=utf-8',
    '/not-me': 'text/html; charset=utf-8',
    '/resume-mail': 'text/html; charset=utf-8',
    '/pages/page.css': 'text/css; charset=utf-8',
    '/pages/sign-in.js': 'text/javascript; charset=utf-8',
    '/pages/confirm.js': 'text/javascript; charset=utf-8',
    '/pages/button.js': 'text/javascript; charset=utf-8',
  }
  for (const [path, type] of Object.entries(types)) {
    const page = await get(builtIn, path)
    assert.equal(page.status, 200, path)
    assert.equal(page.headers.get('content-type'), type)
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
    assertForNoCache(page)
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/)
    assert.match(policy, /frame-ancestors 'none'; require-trusted-types-for 'script'$/)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  }
})

test('the pages load nothing from elsewhere, run nothing inline and are in no index [M9]', async () => {
  for (const path of ['/', '/confirm', '/not-me', '/resume-mail']) {
    const { text } = await get(builtIn, path)
    assert.doesNotMatch(text, /<script(?![^>]*src="\/)|<style|\son\w+=|style="|(src|href)="(?!\/)/)
    assert.match(text, /<meta name="robots" content="noindex">/)
    assert.doesNotMatch(text, /\{\{/, 'every placeholder is filled in')
  }
})

test('nothing of the request is in a page', async () => {
  for (const path of ['/confirm', '/not-me', '/resume-mail']) {
    const plain = await get(builtIn, path)
    const asked = await get(builtIn, `${path}?token=%22%3E%3Cscript%3E&redirectTo=https://evil.example`)
    assert.equal(asked.text, plain.text)
  }
})

test('the pages of a mail’s buttons take no method but those that change nothing', async () => {
  for (const path of ['/not-me', '/resume-mail']) {
    const head = await fetch(builtIn.origin + path, { method: 'HEAD' })
    assert.deepEqual([head.status, await head.text()], [200, ''])
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const refused = await fetch(builtIn.origin + path, { method })
      const said = [refused.status, refused.headers.get('allow')]
      assert.deepEqual(said, [405, 'GET, HEAD'], `${method} ${path}`)
    }
  }
})

test('the page of a button posts to the endpoint that its mail is about, and nowhere else', async () => {
  const paths = { '/not-me': '/auth/links/not-me', '/resume-mail': '/auth/mail/resume' }
  for (const [path, endpoint] of Object.entries(paths)) {
    const { text } = await get(builtIn, path)
    assert.deepEqual([...text.matchAll(/data-path="([^"]*)"/g)].map(([, named]) => named), [endpoint])
    assert.equal((await builtIn.call(`POST ${endpoint}`, { body: { token: '' } })).status, 401)
    assert.doesNotMatch(text, /<form/, 'no form: what opens or submits everything it finds does nothing')
  }
})

test('a frontend of one’s own is named, to the letter; the built-in one is not', async () => {
  const named = frontendIn(await get(withFrontend, '/confirm'))
  assert.equal(named?.replaceAll('&amp;', '&'), new URL(FRONTEND).href)
  assert.equal(frontendIn(await get(builtIn, '/confirm')), '')
})

test('the development mailbox is offered only where mail goes there', async () => {
  assert.match((await get(builtIn, '/')).text, /data-mailbox=""/)
})
