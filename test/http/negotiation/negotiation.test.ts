import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mailedToken } from '../../support/mail/links.ts'
import { sendRaw } from '../../support/wire/raw.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { databaseContent, recipientsOf } from '../../support/database/state.ts'

let service: Service
let linkToken: string

before(async () => {
  service = await startService()
  linkToken = await mailedToken(service, 'ana@example.com')
})
after(() => service.close())

/** Opens the link, or an unknown one, with exactly these header lines. */
const open = (token: string, lines: readonly string[]) =>
  sendRaw(service.origin, [`GET /api/v1/auth/verify?token=${token} HTTP/1.1`, ...lines])

test('a browser’s request is redirected to the page and does not use up the link', async () => {
  const browsers: readonly (readonly string[])[] = [
    ['Accept: text/html'],
    ['Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'],
    ['Accept: application/json, text/html;q=0.1'],
    ['Accept: text/html;q=0.001'],
    ['Accept: text/html;level=1'],
    ['Accept: TEXT/HTML'],
    ['Accept: Text/Html;Q=0.5, */*;q=0.1'],
    ['Accept: text/html;q=0, text/html'],
    ['Accept: */*', 'Accept: text/html'],
    ['Accept: application/json', 'Sec-Fetch-Dest: document'],
    ['Accept: */*', 'Sec-Fetch-Dest: iframe'],
    ['Accept: */*', 'Sec-Fetch-Dest: image'],
    ['Accept: */*', 'Sec-Fetch-Dest: script'],
    ['Accept: */*', 'Sec-Fetch-Dest: '],
    ['Sec-Fetch-Dest: anything-new'],
    ['Accept: */*', 'Sec-Purpose: prefetch'],
    ['Accept: */*', 'Sec-Purpose: prefetch;prerender'],
    ['Accept: application/json', 'Sec-Purpose: prefetch;anonymous-client-ip', 'Sec-Fetch-Dest: empty'],
    ['Accept: */*', 'Purpose: prefetch'],
  ]
  await recipientsOf(service)
  const stored = await databaseContent(service.db)
  for (const lines of browsers) {
    const answer = await open(linkToken, lines)
    assert.equal(answer.status, 302, lines.join(' | '))
    assert.equal(answer.headers.get('location'), `${service.origin}/confirm#token=${linkToken}`)
    assert.equal(answer.text, '')
    assert.match(answer.headers.get('vary') ?? '', /\bAccept\b/)
  }
  assert.deepEqual(await databaseContent(service.db), stored)
})

test('a program gets JSON, whatever wildcards it accepts', async () => {
  const programs: readonly (readonly string[])[] = [
    [],
    ['Accept: '],
    ['Accept: */*'],
    ['Accept: */*;q=0.1'],
    ['Accept: text/*'],
    ['Accept: application/json'],
    ['Accept: application/json, */*'],
    ['Accept: text/html;q=0'],
    ['Accept: text/html;q=0, */*'],
    ['Accept: text/htmlx'],
    ['Accept: text/plain;x="text/html"'],
    ['Accept: garbage'],
    ['Accept: ,;=/'],
    ['Accept: */*', 'Sec-Fetch-Dest: empty'],
    ['Accept: */*', 'Sec-Fetch-Dest: empty', 'Sec-Fetch-Mode: cors', 'Sec-Fetch-Site: same-origin'],
    ['Accept: application/json', 'Sec-Purpose: anything', 'Purpose: anything'],
  ]
  for (const lines of programs) {
    const answer = await open('unknown', lines)
    assert.equal(answer.body?.error.code, 'LINK_INVALID', lines.join(' | '))
    assert.equal(answer.headers.get('location'), null)
  }
})

test('a link that browsers have opened many times still signs a program in, once', async () => {
  const signedIn = await open(linkToken, ['Accept: */*'])
  assert.equal(signedIn.status, 200)
  assert.equal(typeof signedIn.body.token, 'string')
  assert.equal((await open(linkToken, ['Accept: */*'])).status, 401)
})

test('elsewhere the quality of Accept decides between a page and JSON', async () => {
  const missing = (accept: string, ...fields: readonly string[]) =>
    sendRaw(service.origin, ['GET /nowhere HTTP/1.1', `Accept: ${accept}`, ...fields])
  const pages = [
    'text/html',
    'text/html, application/json',
    'text/html;q=0.9, application/json;q=0.8',
    'application/json;q=0.1, text/html;q=0.2',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'text/html;q=0.5, */*;q=0.1',
  ]
  for (const accept of pages) {
    assert.match((await missing(accept)).headers.get('content-type') ?? '', /^text\/html/, accept)
  }
  const programs = [
    'application/json, text/html;q=0.9',
    'application/json, text/html',
    'text/html;q=0.1, application/json;q=0.2',
    'text/html;q=0.5, */*',
    'text/html;q=0',
    'text/*',
    '*/*',
  ]
  for (const accept of programs) assert.equal((await missing(accept)).body?.error.code, 'NOT_FOUND', accept)
  const opened = await missing('application/json', 'Sec-Fetch-Dest: document')
  assert.match(opened.headers.get('content-type') ?? '', /^text\/html/, 'a browser says what it opens')
})

test('an Accept longer than 1,000 characters is not parsed: the answer is that for a program', async () => {
  const longest = `text/html${','.repeat(991)}`
  for (const [accept, type] of [
    [longest, /^text\/html/],
    [`${longest},`, /^application\/json/],
  ] as const) {
    const answer = await sendRaw(service.origin, ['GET /nowhere HTTP/1.1', `Accept: ${accept}`])
    assert.match(answer.headers.get('content-type') ?? '', type)
  }
})
