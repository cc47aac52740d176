import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { textsOf } from '../../../scripts/docs/build-docs.ts'
import { DOCS_POLICY } from '../../../src/api/docs/docs.ts'
import { assertUncacheable } from '../../support/http/answers.ts'
import { errors } from '../../../src/errors.ts'
import { codesOf, contentOf, document, operations, takesToken } from '../../support/documented.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const root = new URL('../../../', import.meta.url).pathname
const { texts, navigation } = textsOf(root)
const paths = texts.map(({ path }) => path)
let service: Service
let withFrontend: Service

before(async () => {
  service = await startService()
  withFrontend = await startService({ APP_URL: 'https://app.example.com' })
})
after(async () => {
  await service.close()
  await withFrontend.close()
})

type Got = Readonly<{ status: number; headers: Headers; text: string }>
async function get(path: string, sent: Record<string, string> = {}, { origin } = service): Promise<Got> {
  const response = await fetch(origin + path, { headers: sent, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const shown = new Map<string, Promise<Got>>()
/** The answer to a caller who names no type, fetched once for all tests. */
function pageAt(path: string): Promise<Got> {
  const got = shown.get(path) ?? get(path)
  shown.set(path, got)
  return got
}

test('every page is served as HTML with its own policy and the right title', async () => {
  assert.ok(paths.length > 45 && paths.includes('/docs/api/events') && paths.includes('/docs/decisions'), paths.join())
  assert.equal(new Set(paths).size, paths.length)
  for (const path of paths) {
    const page = await pageAt(path)
    assert.equal(page.status, 200, path)
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(page.headers.get('content-security-policy'), DOCS_POLICY)
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(page.headers.get('set-cookie'), null)
    assert.match(page.headers.get('vary') ?? '', /\bAccept, Accept-Encoding\b/)
    assertUncacheable({ ...page, body: undefined })
    assert.equal(page.text.match(/<h1 /g)?.length, 1, path)
    assert.match(page.text, /<title>[^<]+ · paylink-auth<\/title>/)
    assert.equal(
      (page.text.match(/aria-current="page"/g) ?? []).length,
      navigation.flatMap(({ pages }) => pages).some(([one]) => one === path) ? 1 : 0,
      path,
    )
  }
  for (const [path] of navigation.flatMap(({ pages }) => pages)) assert.ok(paths.includes(path), path)
})

test('the policy allows only the service’s own style, scripts and images, and no page needs more', async () => {
  assert.doesNotMatch(DOCS_POLICY, /unsafe|https?:|data:|\*/)
  assert.match(DOCS_POLICY, /^default-src 'none'; /)
  for (const path of paths) {
    const { text } = await pageAt(path)
    assert.doesNotMatch(
      text,
      /<script(?! (type="module" )?src="[^"]+"><\/script>)|<style|<iframe|<form|\son\w+=|style="|(src|srcset)="(?!\/docs\/assets\/)|<link[^>]* href="(?!\/docs)/,
      path,
    )
  }
})

test('every page has a Markdown version, at its URL with .md and by content negotiation', async () => {
  for (const path of paths) {
    const twin = await pageAt(`${path}.md`)
    assert.equal(twin.status, 200, path)
    assert.equal(twin.headers.get('content-type'), 'text/markdown; charset=utf-8')
    assert.match(twin.text, /^# /)
    const negotiated = await get(path, { accept: 'text/markdown, text/html;q=0.5' })
    assert.deepEqual(
      [negotiated.headers.get('content-type'), negotiated.text],
      ['text/markdown; charset=utf-8', twin.text],
      path,
    )
  }
  for (const accept of [
    '*/*',
    'text/html,application/xhtml+xml,*/*;q=0.8',
    'text/*',
    'image/png',
    'text/markdown;q=0.1, text/html',
  ]) {
    assert.match((await get('/docs/quick-start', { accept })).headers.get('content-type') ?? '', /^text\/html/, accept)
  }
})

test('every link of every page, Markdown version and llms.txt leads to an existing page and heading', async () => {
  const targets = new Map<string, Set<string>>()
  const add = (target: string, from: string) => targets.set(target, (targets.get(target) ?? new Set()).add(from))
  for (const path of paths) {
    const { text: page } = await pageAt(path)
    for (const [, href = ''] of page.matchAll(/(?:href|src)="([^"]+)"/g))
      add(href.startsWith('#') ? path + href : href, path)
    const { text: twin } = await pageAt(`${path}.md`)
    for (const [, href = ''] of twin.replaceAll(/```[^]*?```|`[^`\n]+`/g, '').matchAll(/\]\(([^)\s]+)\)/g)) {
      add(href.startsWith('#') ? path + href : href, `${path}.md`)
    }
  }
  const { text: llms } = await get('/llms.txt')
  for (const [, href = ''] of llms.matchAll(/\]\(([^)\s]+)\)/g))
    add(href.replace(service.deps.config.publicUrl, ''), '/llms.txt')
  const own = [...targets.keys()].filter((target) => !/^https?:/.test(target))
  assert.ok(own.length > 150, `${own.length} links`)
  for (const target of own) {
    const [path = '', fragment] = target.split('#')
    // Exists in development only.
    if (path.startsWith('/dev/')) continue
    const page = await pageAt(path)
    const from = [...(targets.get(target) ?? [])].join()
    assert.equal(page.status, 200, `${target}, on ${from}`)
    // A Markdown version has the same headings as its page.
    const headings = path.endsWith('.md') ? (await pageAt(path.slice(0, -3))).text : page.text
    if (fragment !== undefined) assert.ok(headings.includes(` id="${fragment}"`), `${target}, on ${from}`)
  }
})

test('examples contain the URL of this service', async () => {
  const { publicUrl } = service.deps.config
  assert.notEqual(publicUrl, 'http://localhost:3000')
  for (const path of ['/docs/quick-start', '/docs/quick-start.md'])
    assert.ok((await get(path)).text.includes(`BASE=${publicUrl}\n`), path)
  const { headers, text } = await get('/llms.txt')
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.ok(text.includes(`The base URL is \`${publicUrl}/api/v1\``))
  for (const path of [...paths, ...paths.map((one) => `${one}.md`), '/llms.txt']) {
    assert.ok(!(await pageAt(path)).text.includes('localhost:3000'), path)
  }
})

test('llms.txt has the format of llmstxt.org, the three calls, and links to Markdown', async () => {
  const { text } = await get('/llms.txt')
  assert.match(text, /^# paylink-auth\n\n> [^\n]+\n\n/)
  assert.deepEqual(
    [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title),
    ['Docs', 'Optional'],
  )
  for (const call of ['1. `POST /auth/api/signup`', '2. `POST /auth/api/token`', '3. `POST /payment-links`'])
    assert.ok(text.includes(call))
  for (const item of text.split('## Docs')[1]?.match(/^- .*$/gm) ?? [])
    assert.match(item, /^- \[[^\]]+\]\([^)]+\): [^[\]]+$/)
  for (const [, href = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    assert.match(href, /^https?:\/\/[^/]+\/(docs.*\.md|api\/v1\/openapi\.json)(#.*)?$/)
  }
})

test('llms.txt names every error that a program can meet in its three calls, and the rule for query parameters', async () => {
  const { text } = await get('/llms.txt')
  for (const call of ['POST /auth/api/signup', 'POST /auth/api/token', 'POST /payment-links']) {
    const { content } = operations.find(({ route }) => route === call) ?? assert.fail(call)
    const codes = ['400', '401', '403', '409'].flatMap((status) => codesOf(content.responses[status] ?? {}))
    assert.ok(codes.length > 1, call)
    for (const code of codes)
      if (code !== 'ORIGIN_NOT_ALLOWED') assert.ok(text.includes(`\`${code}\``), `${call} ${code}`)
  }
  assert.match(text, /query parameter .* is refused/)
})

test('the reference has every operation once, on the page of its tag, with its access class and every error', async () => {
  const { text: overview } = await get('/docs/api.md')
  const pages = texts.filter(({ isReference }) => isReference)
  assert.equal(pages.length, document.tags.length)
  const all = (await Promise.all(pages.map(async ({ path }) => (await pageAt(`${path}.md`)).text))).join('\n')
  for (const operation of operations) {
    const { route, content } = operation
    const call = `\`${route}\``
    const [, section = '', ...more] = all.split(`## ${content.summary}\n`)
    assert.deepEqual(more, [], content.summary)
    const own = section.split('\n## ')[0] ?? ''
    const page = pages.find(({ markdown }) => markdown.includes(`## ${content.summary}\n`))
    assert.ok(page && page.markdown.startsWith(`# ${content.tags[0]}\n`), content.summary)
    assert.ok(overview.includes(`| ${call} | [${content.summary}](${page.path}.md#`), call)
    assert.ok(own.startsWith(`\n${call} · ${takesToken(operation) ? 'bearer' : 'public'}`), call)
    for (const [status, response] of Object.entries<any>(content.responses)) {
      for (const code of codesOf(response))
        assert.ok(
          own.includes(`${status} [\`${code}\`](/docs/errors.md${code in errors ? `#${code.toLowerCase()}` : ''})`),
          `${call} ${code}`,
        )
      if (Number(status) < 400) assert.ok(own.includes(`\n**${status}** `), `${call} ${status}`)
    }
    const fields = contentOf(content.requestBody)?.schema.properties ?? {}
    for (const name of Object.keys(fields)) assert.ok(own.includes(`| \`${name}\` `), `${call} ${name}`)
  }
  for (const [name, { description }] of Object.entries<any>(document.components.headers))
    assert.match(overview, new RegExp(`^\\| \`${name}\` .*\\| ${RegExp.escape(description)} \\|$`, 'm'))
})

test('a separate frontend changes none of the documentation', async () => {
  for (const path of ['/docs/api', '/docs/quick-start', '/docs/errors.md', '/llms.txt']) {
    const [here, there] = [await get(path), await get(path, {}, withFrontend)]
    assert.equal(there.status, 200, path)
    assert.equal(there.text, here.text.replaceAll(service.deps.config.publicUrl, withFrontend.deps.config.publicUrl))
  }
})

test('an unknown path shows a 404 page with a link to the documentation to a browser, and the JSON error to a program', async () => {
  for (const path of ['/docs/nope', '/docs/%00', `/docs/${'x'.repeat(9000)}`]) {
    const person = await get(path, { accept: 'text/html' })
    assert.equal(person.status, 404, path)
    assert.equal(person.headers.get('content-security-policy'), DOCS_POLICY)
    assert.match(person.text, /<h1[^>]*>Page not found<\/h1>[^]*href="\/docs\/quick-start"/)
    const program = await get(path)
    assert.deepEqual([program.status, JSON.parse(program.text).error.code], [404, 'NOT_FOUND'], path)
  }
})

test('assets are cacheable, and no other file of the folder is served', async () => {
  const { text } = await get('/docs/api')
  const assets = [...text.matchAll(/(?:href|src|data-index)="(\/docs\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  const types: string[] = []
  for (const path of new Set(assets)) {
    const { status, headers } = await get(path)
    assert.deepEqual([status, headers.get('cache-control')], [200, 'public, max-age=31536000, immutable'], path)
    types.push(headers.get('content-type') ?? '')
  }
  const script = 'text/javascript; charset=utf-8'
  const others = ['application/json; charset=utf-8', 'image/svg+xml', 'text/css; charset=utf-8']
  assert.deepEqual(types.toSorted(), [...others, script, script].toSorted())
  assert.equal(
    (await get('/docs/deploy/nginx-forward-auth.conf')).headers.get('content-type'),
    'text/plain; charset=utf-8',
  )
  for (const path of [
    '/built-from',
    '/docs/built-from',
    '/modules.docs.json',
    '/docs/../modules.docs.json',
    '/docs/quick-start.html',
    '/docs/..%2findex.html',
    '/docs/nope',
    '/docs/readme',
    '/docs.html',
    '/not-found.html',
    '/docs/not-found',
    '/docs/docs',
    '/docs/nope/',
    '/docs/quick-start//',
    '/docs/quick-start.md/',
  ]) {
    assert.equal((await get(path)).status, 404, path)
  }
})

test('the address of the folder leads to the quick start, and a slash at the end to the page', async () => {
  for (const [old, now] of [
    ['/docs', '/docs/quick-start'],
    ['/docs/', '/docs/quick-start'],
    ['/docs.md', '/docs/quick-start.md'],
    ['/docs/api/', '/docs/api'],
    ['/docs/quick-start/', '/docs/quick-start'],
  ] as const) {
    const { status, headers, text } = await get(old)
    assert.deepEqual([status, headers.get('location'), text], [302, now, ''])
    assert.equal((await get(now)).status, 200)
  }
})

test('every file is compressed as the caller accepts it, with the same content in each encoding', async () => {
  const { text: page } = await get('/docs/api')
  const [script = ''] = /\/docs\/assets\/docs-[^"]+\.js/.exec(page) ?? []
  for (const path of ['/docs/api/payment-links', '/docs/errors.md', '/llms.txt', script]) {
    const answers = await Promise.all(
      ['br', 'gzip', 'identity', 'br;q=0, gzip', 'zstd'].map((accepted) => rawGet(path, accepted)),
    )
    const encodings = answers.map(({ headers }) => headers['content-encoding'])
    assert.deepEqual(encodings, ['br', 'gzip', undefined, 'gzip', undefined], path)
    for (const { headers } of answers) assert.match(headers.vary ?? '', /\bAccept-Encoding\b/)
    const [brotli, gzipped, plain] = answers.map(({ body }) => body)
    assert.ok(brotli && gzipped && plain)
    assert.ok(brotliDecompressSync(brotli).equals(plain) && gunzipSync(gzipped).equals(plain), path)
    assert.ok(brotli.length < plain.length / 2 && gzipped.length < plain.length / 2, `${path}: ${brotli.length}`)
  }
})

/** Without the decoding that `fetch` does. */
async function rawGet(path: string, acceptEncoding: string) {
  const [response] = (await once(
    request(service.origin + path, { headers: { 'accept-encoding': acceptEncoding } }).end(),
    'response',
  )) as [IncomingMessage]
  return { headers: response.headers, body: await buffer(response) }
}
