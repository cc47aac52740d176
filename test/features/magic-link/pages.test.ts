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
    '/pages/page.css': 'text/css; charset=utf-8',
    '/pages/sign-in.js': 'text/javascript; charset=utf-8',
    '/pages/confirm.js': 'text/javascript; charset=utf-8',
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
  for (const path of ['/', '/confirm']) {
    const { text } = await get(builtIn, path)
    assert.doesNotMatch(text, /<script(?![^>]*src="\/)|<style|\son\w+=|style="|(src|href)="(?!\/)/)
    assert.match(text, /<meta name="robots" content="noindex">/)
    assert.doesNotMatch(text, /\{\{/, 'every placeholder is filled in')
  }
})

test('nothing of the request is in a page', async () => {
  const plain = await get(builtIn, '/confirm')
  const asked = await get(builtIn, '/confirm?token=%22%3E%3Cscript%3E&redirectTo=https://evil.example')
  assert.equal(asked.text, plain.text)
})

test('a frontend of one’s own is named, to the letter; the built-in one is not', async () => {
  const named = frontendIn(await get(withFrontend, '/confirm'))
  assert.equal(named?.replaceAll('&amp;', '&'), new URL(FRONTEND).href)
  assert.equal(frontendIn(await get(builtIn, '/confirm')), '')
})

test('the development mailbox is offered only where mail goes there', async () => {
  assert.match((await get(builtIn, '/')).text, /data-mailbox=""/)
})
