import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { disable } from '../../support/accounts/disabled.ts'
import { createLink, dayBefore, holdRates } from '../../support/accounts/payment-links.ts'
import { assertError, assertSecurityHeaders, assertUncacheable } from '../../support/http/answers.ts'
import { sendRaw } from '../../support/wire/raw.ts'
import { assertNothingHappens, userOf } from '../../support/database/state.ts'
import { startService } from '../../support/service.ts'
import type { Answer, Service } from '../../support/service.ts'

let service: Service
let token: string

before(async () => {
  service = await startService()
  token = await service.signIn('ana@example.com')
  const named = await service.call('PATCH /users/me', { token, body: { name: 'Ana Pop' } })
  assert.equal(named.status, 200, named.text)
  await holdRates(service.db, dayBefore(service.clock, 3), { EUR: '4.9770', GBP: '5.8321' })
})
after(() => service.close())

type Headers = Readonly<Record<string, string>>

async function open(path: string, headers: Headers = {}, method = 'GET'): Promise<Answer> {
  const response = await fetch(`${service.origin}/pay/${path}`, { method, headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text(), body: undefined }
}

const textIn = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/\s+/g, ' ')

/** The title and every content of a tag that chats read. */
function headOf({ text }: Answer): Record<string, string> {
  const [head = ''] = text.split('</head>')
  const tags = [...head.matchAll(/<meta\s+(?:name|property)="([^"]+)"\s+content="([^"]*)"/g)]
  const [, title = ''] = /<title>([^<]*)<\/title>/.exec(head) ?? []
  return { title, ...Object.fromEntries(tags.map(([, name = '', content = '']) => [name, content])) }
}

function assertPage(answer: Answer, status: number, said = ''): void {
  assert.equal(answer.status, status, said)
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8', said)
  assert.match(answer.text, /^<!doctype html>\n<html lang="(en|ro)" data-theme="\w+">/, said)
  assert.match(answer.text, /<link rel="stylesheet" crossorigin href="\/assets\/pay-[\w-]+\.css">/)
  assert.match(answer.text, /Pay only if you know who is asking|Plătește doar dacă știi cine/, said)
  assert.match(answer.text, /<meta name="robots" content="noindex">/)
  assert.doesNotMatch(
    answer.text,
    /<script(?! type="module" crossorigin src="\/assets\/pay-[\w-]+\.js"><\/script>)|<style|<form|\son\w+=|\sstyle=|\{\{|<!--|undefined|\[object|data-settings/,
    said,
  )
  assert.doesNotMatch(textIn(answer.text), /\b(API|JSON|developer|agent|program)/i, said)
  assert.equal(
    answer.headers.get('content-security-policy'),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  assert.match(answer.headers.get('vary') ?? '', /Accept-Language, Cookie/)
  assert.equal(answer.headers.get('set-cookie'), null)
  assertSecurityHeaders(answer, said)
  assertUncacheable(answer)
}

test('an open link shows requester, title, amount in two currencies, reference and expiry, in both languages', async () => {
  const expiresAt = '2031-05-09T14:30:00Z'
  const { id, url } = await createLink(service, token, {
    title: 'Web design',
    amount: 245_000,
    reference: 'INV-7',
    expiresAt,
  })
  const english = await assertNothingHappens(service, () => open(id))
  assertPage(english, 200)
  assert.match(
    textIn(english.text),
    /Ana Pop asks you to pay RON 2,450\.00 for Web design about ≈ €492\.26 EUR GBP 1 RON = 0\.2009 EUR on \d+ \w+ 20\d\d, National Bank of Romania Reference INV-7 Valid until 9 May 2031 at 14:30 UTC /,
  )
  assert.match(english.text, /<time datetime="2031-05-09T14:30:00\.000Z">/)
  assert.deepEqual(headOf(english), {
    viewport: 'width=device-width, initial-scale=1',
    robots: 'noindex',
    'color-scheme': 'light dark',
    title: 'Web design · RON\u00a02,450.00 · Paylink',
    description: 'Ana Pop asks for RON\u00a02,450.00. Pay only if you know who is asking and what for.',
    'og:type': 'website',
    'og:site_name': 'Paylink',
    'og:locale': 'en_GB',
    'og:title': 'Web design · RON\u00a02,450.00',
    'og:description': 'Ana Pop asks for RON\u00a02,450.00. Pay only if you know who is asking and what for.',
    'og:url': url,
    'twitter:card': 'summary',
  })
  const romanian = await open(id, { 'accept-language': 'ro-RO,ro;q=0.9,en;q=0.8' })
  assertPage(romanian, 200)
  assert.match(
    textIn(romanian.text),
    /Ana Pop îți cere să plătești 2\.450,00 RON pentru Web design .*≈ 492,26 EUR .*Cursul BNR din \d+ \p{L}+ 20\d\d: 1 RON = 0,2009 EUR Referință INV-7 Valabil până la 9 mai 2031 la 14:30 UTC /u,
  )
  assert.doesNotMatch(romanian.text + english.text, /ana@example\.com/)
})

test('the payer chooses the second currency; without a current rate there is none, and an unknown currency is ignored', async () => {
  const { id } = await createLink(service, token, { amount: 1000 }, { 'x-currency': 'EUR' })
  for (const [query, said] of [
    ['', /€10\.00 .*≈ RON 49\.77 /],
    ['?currency=GBP', /€10\.00 .*≈ £8\.53 .*1 EUR = 0\.8534 GBP/],
    ['?currency=EUR', /≈ RON 49\.77 /],
    ['?currency=USD&currency=%3Cscript%3E&x=1', /≈ RON 49\.77 /],
    ['?language=ro&currency=GBP', /≈ 8,53 GBP /],
  ] as const) {
    const page = await open(id + query)
    assertPage(page, 200, query)
    assert.match(textIn(page.text), said, query)
  }
  const { text } = await open(`${id}?currency=GBP`)
  assert.match(text, /<a href="\?language=en&amp;currency=GBP"[^>]* aria-current="true">GBP<\/a>/)
  assert.match(text, /<a href="\?language=ro&amp;currency=GBP" lang="ro"/, 'the other language keeps the choice')

  service.clock.advance(8 * 24 * 3600 * 1000)
  assert.doesNotMatch((await open(id)).text, /≈/)
  const without = await open(`${id}?currency=GBP`)
  assert.match(textIn(without.text), /€10\.00 .*There is no current exchange rate for GBP\./)
  assertPage(without, 200)
  token = await service.signIn('ana@example.com')
})

test('the page of an unclaimed account warns, and neither its title nor its tags contain the text or amount of the link', async () => {
  const { token: ofKey } = await service.signUp('bob@example.com')
  await service.call('PATCH /users/me', { token: ofKey, body: { name: 'Big Bank' } })
  const { id, url } = await createLink(service, ofKey, { title: 'Account locked', amount: 31_337, reference: 'REF-9' })
  for (const [headers, warning] of [
    [{}, /Unverified requester\. Nobody has confirmed/],
    [{ 'accept-language': 'ro' }, /Solicitant neverificat\. Nimeni nu a confirmat/],
  ] as const) {
    const page = await open(id, headers)
    assertPage(page, 200)
    assert.match(textIn(page.text), warning)
    const head = headOf(page)
    assert.doesNotMatch(JSON.stringify(head), /Big Bank|Account locked|REF-9|313[.,]37/)
    assert.equal(head['og:url'], url)
    assert.match(head['title'] ?? '', /^(Payment request|Cerere de plată) · Paylink$/)
    assert.match(page.text.split('</head>')[1] ?? '', /Big Bank[^]*313[.,]37[^]*Account locked[^]*REF-9/)
  }
  assert.doesNotMatch((await open((await createLink(service, token)).id)).text, /Unverified/)
})

test('a deactivated and an expired link are 410, show their content, and have none of it in the title', async () => {
  const made = {
    title: 'Lunch for two',
    reference: 'REF-7',
    expiresAt: new Date(service.clock.now() + 1000).toISOString(),
  }
  const [ended, expired] = [await createLink(service, token, made), await createLink(service, token, made)]
  await service.call(`POST /payment-links/${ended.id}/deactivate`, { token })
  assertPage(await open(expired.id), 200)
  service.clock.advance(1000)
  for (const [id, english, romanian] of [
    [ended.id, 'This payment link is inactive', 'Acest link de plată este inactiv'],
    [expired.id, 'This payment link has expired', 'Acest link de plată a expirat'],
  ]) {
    const [page, inRomanian] = [await open(id), await open(id, { cookie: 'language=ro' })]
    assertPage(page, 410, english)
    assertPage(inRomanian, 410, romanian)
    assert.match(
      textIn(page.text),
      new RegExp(
        `${english} It can no longer be paid.* From Ana Pop Description Lunch for two Amount RON 10.50 Reference REF-7`,
      ),
    )
    assert.ok(inRomanian.text.includes(`<h1>${romanian}</h1>`))
    assert.equal(headOf(page)['og:title'], english)
    assert.doesNotMatch(JSON.stringify(headOf(page)), /Lunch|Ana|REF-7/)
  }
})

test('a link on hold is 403 and shows none of its content', async () => {
  const made = { title: 'Call +40 700 000 000', amount: 31_337, reference: 'REF-8' }
  const squatted = await service.signUp('dan@example.com')
  const cia = await service.signIn('cia@example.com')
  await service.call('PATCH /users/me', { token: cia, body: { name: 'Cia Ionescu' } })
  const links = [await createLink(service, cia, made), await createLink(service, squatted.token, made)]
  await disable(service, 'cia@example.com')
  const owner = await service.signIn('dan@example.com')
  for (const { id } of links) {
    const page = await open(id)
    assertPage(page, 403)
    assert.match(textIn(page.text), /This payment link is on hold It cannot be paid now/)
    assert.match((await open(id, { cookie: 'language=ro' })).text, /<h1>Acest link de plată este suspendat<\/h1>/)
    assert.doesNotMatch(page.text, /Call|313|REF-8|Cia/)
  }
  const kept = await service.call(`POST /auth/api-keys/${squatted.apiKey.id}/keep`, { token: owner })
  assert.equal(kept.status, 200, kept.text)
  assert.match(textIn((await open(links[1].id)).text), /313\.37 for Call \+40 700 000 000/)
})

test('an unknown, deleted or malformed address gets a page for every Accept header, and other methods get JSON', async () => {
  const eva = await service.signIn('eva@example.com')
  const { id } = await createLink(service, eva)
  await service.call('DELETE /users/me', { token: eva })
  const accepts = ['text/html', '*/*', 'application/json', undefined]
  for (const [path, status] of [
    [id, 404],
    [id.replace(/^./, 'f'), 404],
    ['x', 404],
    ['%00', 404],
    ['%2f%2fevil.example', 404],
    ['javascript:alert(1)', 404],
    ['x/y', 404],
    [`${id}/`, 404],
    ['', 404],
    ['a'.repeat(8000), 404],
    ['%zz', 400],
    ['%zz/%', 400],
  ] as const) {
    for (const accept of accepts) {
      const fields = accept === undefined ? [] : [`Accept: ${accept}`]
      const page = await sendRaw(service.origin, [`GET /pay/${path} HTTP/1.1`, ...fields])
      assertPage(page, status, `${path} ${accept}`)
      assert.match(page.text, status === 404 ? /<h1>Payment link not found</ : /<h1>This address is not complete</)
      assert.doesNotMatch(page.text, /evil|alert/)
    }
    const romanian = await sendRaw(service.origin, [`GET /pay/${path}?language=ro HTTP/1.1`])
    assertPage(romanian, status)
    assert.match(romanian.text, /<html lang="ro"/, path)
    const head = await sendRaw(service.origin, [`HEAD /pay/${path} HTTP/1.1`])
    assert.deepEqual([head.status, head.text], [status, ''], path)
  }
  assertPage(await sendRaw(service.origin, ['GET /pay HTTP/1.1', 'Accept: text/html']), 404)
  assertError(await sendRaw(service.origin, ['POST /pay/x HTTP/1.1']), 'METHOD_NOT_ALLOWED')
  const elsewhere = await sendRaw(service.origin, ['GET /payments/%zz HTTP/1.1', 'Accept: text/html'])
  assertError(elsewhere, 'VALIDATION_FAILED')
})

test('HEAD has the header fields of GET and no body', async () => {
  const { id } = await createLink(service, token)
  const [got, headed] = [await open(id), await open(id, {}, 'HEAD')]
  assert.deepEqual([headed.status, headed.text], [200, ''])
  for (const name of [
    'content-type',
    'content-length',
    'content-language',
    'cache-control',
    'content-security-policy',
  ]) {
    assert.ok(got.headers.get(name))
    assert.equal(headed.headers.get(name), got.headers.get(name), name)
  }
})

test('the language is that of the link, else the cookie, else the browser; the theme is that of the cookie', async () => {
  const { id } = await createLink(service, token)
  const overlong = `ro,${'x'.repeat(1000)}`
  for (const [query, headers, language, theme] of [
    ['', {}, 'en', 'system'],
    ['', { 'accept-language': 'de, ro;q=0.5' }, 'ro', 'system'],
    ['', { 'accept-language': overlong }, 'en', 'system'],
    ['', { 'accept-language': 'en', cookie: 'theme=dark; language=ro' }, 'ro', 'dark'],
    ['?language=en', { cookie: 'language=ro; theme=light' }, 'en', 'light'],
    [`?${'x'.repeat(1000)}&language=ro`, {}, 'en', 'system'],
    ['?language=xx', { cookie: 'language="><script>; theme="><script>' }, 'en', 'system'],
  ] as const) {
    const page = await open(id + query, headers)
    assertPage(page, 200)
    assert.ok(page.text.includes(`<html lang="${language}" data-theme="${theme}">`), JSON.stringify([query, headers]))
    assert.equal(headOf(page)['color-scheme'], theme === 'system' ? 'light dark' : theme)
    assert.equal(page.headers.get('content-language'), language)
  }
})

test('stored text that the API would refuse is escaped, stays on one line of the title, and cannot reorder it', async () => {
  const { id } = await createLink(service, token)
  const user = await userOf(service.db, 'ana@example.com')
  const texts = [
    '</title><script>alert(1)</script>',
    `"><meta http-equiv='refresh' content="0;url=//evil.example"><img src=x onerror=alert(1)>`,
    `' onmouseover='alert(1)' {{theme}} <!--content--> $& $\` $1`,
    'Lunch\r\n\u2028\u202emoc.live\u2066\u200f',
    '𝕏'.repeat(10_000),
    '&lt;b&gt;',
  ]
  for (const text of texts) {
    await service.db.query
      .updateTable('payment_links')
      .set({ title: text, reference: text })
      .where('id', '=', id)
      .execute()
    await service.db.query.updateTable('users').set({ name: text }).where('id', '=', user.id).execute()
    const page = await open(id)
    assert.equal(page.status, 200)
    const own = page.text.replaceAll('&lt;!--', '').replaceAll('{{theme}}', '')
    assertPage({ ...page, text: own.replaceAll(/onmouseover=|onerror=/g, '') }, 200, text)
    assert.equal(page.text.match(/<meta/g)?.length, 12)
    assert.equal(page.text.match(/<img/g)?.length, 1)
    const { title = '', 'og:title': shared = '', 'og:description': summary = '' } = headOf(page)
    for (const line of [title, shared, summary]) {
      assert.match(line, /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200f\u202e\u2066]+$/u)
      assert.ok([...line].length < 900, 'clipped, entities included')
    }
    const escaped = text.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
    const decoded = page.text.replaceAll(
      /&(lt|gt|quot|amp|#39);/g,
      (_, name) => `&#${{ lt: 60, gt: 62, quot: 34, amp: 38, '#39': 39 }[name as 'lt']};`,
    )
    assert.ok(decoded.includes(`<bdi>${escaped}</bdi>`), text.slice(0, 40))
  }
  await service.call('PATCH /users/me', { token, body: { name: 'Ana Pop' } })
})

test('a link with another payment page names that page, and one without name and reference leaves them out', async () => {
  const elsewhere = await startService({ PAYMENT_URL: 'https://pay.example.com/l/' })
  try {
    const ina = await elsewhere.signIn('ina@example.com')
    const { id } = await createLink(elsewhere, ina)
    const text = await (await fetch(`${elsewhere.origin}/pay/${id}`)).text()
    assert.ok(text.includes(`<meta property="og:url" content="https://pay.example.com/l/${id}"`))
    assert.match(textIn(text), / You are asked to pay RON 10\.50 for Lunch/)
    assert.match(text, /content="Payment request for RON\u00a010\.50\./)
    assert.doesNotMatch(text, /<dl>|≈/)
    await elsewhere.call(`POST /payment-links/${id}/deactivate`, { token: ina })
    const ended = await (await fetch(`${elsewhere.origin}/pay/${id}?language=ro`)).text()
    assert.match(textIn(ended), /inactiv .* Descriere Lunch Sumă/)
    assert.doesNotMatch(textIn(ended), /De la|nume/)
  } finally {
    await elsewhere.close()
  }
})

test('a database error is a page', async () => {
  const failing = await startService()
  try {
    const { id } = await createLink(failing, await failing.signIn('ana@example.com'))
    await sql`alter table payment_links rename to elsewhere`.execute(failing.db.query)
    const page = await sendRaw(failing.origin, [`GET /pay/${id} HTTP/1.1`])
    assertPage(page, 500)
    assert.match(page.text, /<h1>This page cannot be shown right now<\/h1>/)
  } finally {
    await failing.close()
  }
})
