/** Whatever URL a client names, its document is fetched from the public internet or not at all (SSRF). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createClientDocuments } from '../../../../src/domain/oauth/client-documents.ts'
import type { PinnedAnswer, PinnedFetch, Resolve } from '../../../../src/domain/oauth/client-documents.ts'
import { ClientRefusedError } from '../../../../src/domain/oauth/client-metadata.ts'
import { createLog } from '../../../../src/lib/log.ts'
import { manualClock } from '../../../support/clock.ts'
import { serving } from '../../../support/http/serving.ts'

const CLIENT = 'https://client.example/client.json'
const REDIRECT = 'https://client.example/callback'
const PUBLIC = '93.184.215.14'

type Options = Readonly<{
  hasDevelopmentPages?: boolean
  resolve?: Resolve
  answer?: Partial<PinnedAnswer>
  failure?: Error
}>

/** Documents behind a name service and a web server of the test, and what was asked of both. */
function documents({
  hasDevelopmentPages = false,
  resolve = async () => [PUBLIC],
  answer = {},
  failure,
}: Options = {}) {
  const clock = manualClock()
  const resolved: string[] = []
  const fetched: (readonly [string, readonly string[]])[] = []
  const fetch: PinnedFetch = async (url, { addresses }) => {
    fetched.push([url.href, addresses])
    if (failure !== undefined) throw failure
    const text = JSON.stringify({ client_id: url.href, redirect_uris: [REDIRECT] })
    return { status: 200, contentType: 'application/json', cacheControl: '', age: '', text, ...answer }
  }
  const noting: Resolve = (host) => {
    resolved.push(host)
    return resolve(host)
  }
  const logged: string[] = []
  const log = createLog('info', { write: (line) => void logged.push(line) })
  const { find, results } = createClientDocuments({ config: { hasDevelopmentPages }, clock, log }, fetch, noting)
  return { find, results, clock, resolved, fetched, logged }
}

test('a document of a public host is fetched, from the addresses that were checked', async () => {
  const { find, resolved, fetched } = documents({ resolve: async () => [PUBLIC, '2606:4700::1111'] })
  assert.deepEqual(await find(CLIENT), { clientId: CLIENT, name: null, redirectUris: [REDIRECT] })
  assert.deepEqual(resolved, ['client.example'])
  assert.deepEqual(fetched, [[CLIENT, [PUBLIC, '2606:4700::1111']]])
})

test('a client id that is not a canonical https URL with a domain name is neither resolved nor fetched [A53]', async (t) => {
  const ids = [
    '',
    'client',
    'client.json',
    '//client.example/c',
    'http://client.example/c',
    'ftp://client.example/c',
    'file:///etc/passwd',
    'data:application/json,{}',
    'javascript:alert(1)',
    'https://client.example/',
    'https://client.example',
    'https://user@client.example/c',
    'https://user:pass@client.example/c',
    'https://client.example/c#',
    'https://client.example/c#x',
    'https://client.example/a/../c',
    'https://client.example/a/%2e%2e/c',
    'https://client.example/./c',
    'https://CLIENT.example/c',
    'https://client.example:443/c',
    'https://client.example:8443/c',
    'https://client.example:22/c',
    'https://127.0.0.1/c',
    'https://[::1]/c',
    'https://localhost/c',
    'https://93.184.215.14/c',
    'https://2130706433/c',
    'https://0x7f000001/c',
    'https://017700000001/c',
    'https://127.1/c',
    'https://[::ffff:127.0.0.1]/c',
    'https://[2606:4700::1111]/c',
    'https://intranet/c',
    'https://client.example./c',
    'http://127.0.0.1/c',
    'http://localhost:3000/c',
    ' https://client.example/c',
    'https://client.example/c ',
    'https://client.example\\@127.0.0.1/c',
    'https://client.example/c\n',
    'https:client.example/c',
    'https://ⓒlient.example/c',
    'https://аpple.example/c',
    'https://[fe80::1%25eth0]/c',
    'https://client.example:0/c',
    'https://client.example:/c',
    'HTTPS://client.example/c',
    'https://:@client.example/c',
    'https://client.example/c\0',
    'https://127.0.0.1./c',
    `https://client.example/${'c'.repeat(512)}`,
  ]
  for (const id of ids) {
    await t.test(JSON.stringify(id.slice(0, 60)), async () => {
      const { find, resolved, fetched } = documents()
      await assert.rejects(find(id), ClientRefusedError)
      assert.deepEqual([resolved, fetched], [[], []])
    })
  }
})

test('nothing is fetched if the name has any address that is not public, or none [A54]', async () => {
  const inner = [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:8.8.8.8',
    'fd00:ec2::254',
    '64:ff9b::7f00:1',
  ]
  for (const addresses of [[], ...inner.flatMap((ip) => [[ip], [PUBLIC, ip], [ip, PUBLIC]])]) {
    const { find, fetched } = documents({ resolve: async () => addresses })
    await assert.rejects(find(CLIENT), ClientRefusedError, String(addresses))
    assert.deepEqual(fetched, [])
  }
  const failing = documents({ resolve: () => Promise.reject(new Error('SERVFAIL')) })
  await assert.rejects(failing.find(CLIENT), ClientRefusedError)
})

test('a name that answers differently the second time is not asked a second time (DNS rebinding) [A55]', async () => {
  const answers = [[PUBLIC], ['127.0.0.1']]
  const { find, resolved, fetched } = documents({ resolve: async () => answers.shift() ?? [] })
  await find(CLIENT)
  assert.deepEqual(resolved, ['client.example'])
  assert.deepEqual(fetched, [[CLIENT, [PUBLIC]]])
})

test('an answer that is not 200 with a JSON document is refused, redirects too [A56]', async () => {
  const answers: Partial<PinnedAnswer>[] = [
    ...[201, 301, 204, 302, 304, 307, 308, 404, 500].map((status) => ({ status })),
    ...['', 'text/html', 'text/json', 'application/jsonp', 'image/json', 'application/octet-stream'].map((type) => ({
      contentType: type,
    })),
    ...['', '{', 'null', '[]', '"x"', '{"client_id":1}'].map((text) => ({ text })),
  ]
  for (const answer of answers) {
    await assert.rejects(documents({ answer }).find(CLIENT), ClientRefusedError, JSON.stringify(answer))
  }
  const types = ['application/json; charset=utf-8', 'application/cimd+json']
  for (const type of types) await documents({ answer: { contentType: type } }).find(CLIENT)
})

describe('a document is cached', () => {
  const fetchesWithin = async (answer: Partial<PinnedAnswer>, seconds: number) => {
    const { find, clock, fetched } = documents({ answer })
    await find(CLIENT)
    clock.advance(seconds * 1000)
    await find(CLIENT)
    return fetched.length
  }

  test('for five minutes where it does not say', async () => {
    assert.equal(await fetchesWithin({}, 299), 1)
    assert.equal(await fetchesWithin({}, 300), 2)
  })

  test('as long as it says, less its age [A59]', async () => {
    assert.equal(await fetchesWithin({ cacheControl: 'public, max-age=60' }, 59), 1)
    assert.equal(await fetchesWithin({ cacheControl: 'public, max-age=60' }, 60), 2)
    assert.equal(await fetchesWithin({ cacheControl: 'max-age=600, s-maxage=60' }, 60), 2)
    assert.equal(await fetchesWithin({ cacheControl: 'max-age=60', age: '30' }, 30), 2)
  })

  test('for a day at most [A59]', async () => {
    assert.equal(await fetchesWithin({ cacheControl: 'max-age=31536000' }, 86_399), 1)
    assert.equal(await fetchesWithin({ cacheControl: 'max-age=31536000' }, 86_400), 2)
  })

  test('not at all if it forbids it [A59]', async () => {
    for (const control of ['no-store', 'no-cache', 'max-age=0', 'private, no-store, max-age=60']) {
      assert.equal(await fetchesWithin({ cacheControl: control }, 0), 2, control)
    }
  })

  test('unless it was refused [A59]', async () => {
    const { find, fetched } = documents({ answer: { status: 500 } })
    await assert.rejects(find(CLIENT))
    await assert.rejects(find(CLIENT))
    assert.equal(fetched.length, 2)
  })
})

test('concurrent callers share one fetch, and only so many are in progress [A60]', async () => {
  const open = Promise.withResolvers<string[]>()
  const { find, fetched } = documents({ resolve: () => open.promise })
  const same = [find(CLIENT), find(CLIENT)]
  const others = Array.from({ length: 49 }, (_, n) => find(`https://client-${n}.example/c`))
  await assert.rejects(find('https://one-more.example/c'), /Too many clients/)
  open.resolve([PUBLIC])
  await Promise.all([...same, ...others])
  assert.equal(fetched.length, 50)
  await find('https://one-more.example/c')
})

test('loopback clients exist in development only [A63]', async (t) => {
  const server = await serving(t, (_request, response) => response.end())
  const id = `${server.url}/client.json`
  const production = documents({ hasDevelopmentPages: false })
  await assert.rejects(production.find(id), ClientRefusedError)
  const development = documents({ hasDevelopmentPages: true, resolve: async () => ['127.0.0.1'] })
  await development.find(id)
  await development.find('http://localhost:1/c')
  await development.find('http://[::1]:1/c')
  assert.deepEqual(development.resolved, [])
  assert.deepEqual(
    development.fetched.map(([, addresses]) => addresses),
    [['127.0.0.1'], ['127.0.0.1'], ['::1']],
  )
  // Everything else keeps its rules.
  for (const other of [CLIENT, 'http://client.example/c', 'http://127.0.0.1.client.example/c', 'http://10.0.0.1/c']) {
    await assert.rejects(development.find(other), ClientRefusedError, other)
  }
})

test('look-ups are counted by result', async () => {
  const { find, results, clock } = documents()
  await find(CLIENT)
  await find(CLIENT)
  clock.advance(3_600_000)
  await find(CLIENT)
  await assert.rejects(find('http://client.example/c'))
  assert.deepEqual(results(), { cached: 1, fetched: 2, failed: 0, refused: 1 })
  const unresolved = documents({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })
  await assert.rejects(unresolved.find(CLIENT))
  const together = documents({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })
  await Promise.allSettled([1, 2, 3].map(() => together.find(CLIENT)))
  assert.equal(together.results().failed, 1)
  const inside = documents({ resolve: async () => ['10.0.0.1'] })
  await assert.rejects(inside.find(CLIENT))
  assert.deepEqual(
    [unresolved.results(), inside.results()],
    [
      { cached: 0, fetched: 0, failed: 1, refused: 0 },
      { cached: 0, fetched: 0, failed: 0, refused: 1 },
    ],
  )
})

test('what keeps the service from a document is logged for the operator, and what its client did wrong is not', async () => {
  const failed = (code: string) => Object.assign(new Error(`of ${CLIENT}`), { code })
  const refusing = documents({ failure: failed('ECONNREFUSED') })
  const unresolved = documents({ resolve: () => Promise.reject(failed('ESERVFAIL')) })
  const late = documents({ failure: new Error('x', { cause: new DOMException(CLIENT, 'TimeoutError') }) })
  const expected = [
    [refusing, 'The client metadata document could not be fetched.', 'ECONNREFUSED', /^refused: /],
    [unresolved, 'The host of `client_id` could not be resolved.', 'ESERVFAIL', /^DNS: /],
    [late, 'The client metadata document could not be fetched.', undefined, /^timeout: /],
  ] as const
  for (const [{ find, logged }, msg, code, cause] of expected) {
    await assert.rejects(find(CLIENT))
    const [line = '', ...more] = logged
    assert.deepEqual(more, [])
    const { level, ...fields } = JSON.parse(line)
    assert.deepEqual([level, fields.msg, fields.code], [40, msg, code])
    assert.match(fields.cause, cause)
    assert.doesNotMatch(line, /client\.example|json/)
  }
  const wrong = documents({ answer: { status: 404 } })
  await assert.rejects(wrong.find(CLIENT))
  await assert.rejects(wrong.find('http://client.example/c'))
  assert.deepEqual(wrong.logged, [])
})
