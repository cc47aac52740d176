/** Hostile bodies and tokens cause no server error, take little time and do not block other calls. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { assertDocumented, operations } from '../../../support/documented.ts'
import { startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import type { Answer } from '../../../support/service.ts'
import { assertNothingHappens, databaseContent } from '../../../support/database/state.ts'
import { rightParts, segment, signed } from '../../../support/accounts/tokens.ts'
import { stopwatch } from '../../../support/process/stopwatch.ts'

/** The body limit that the design fixes; the attack list proposes 16 KB against hash floods. */
const LIMIT = 64 * 1024
/** How long one request may block the event loop. */
const AT_MOST_MS = 50

let service: GoogleService
let token: string
before(async () => {
  service = await startGoogleService({ LOG_LEVEL: 'error' })
  token = await service.signIn('ana@example.com')
})
after(() => service.close())

const posts = operations.filter(({ content }) => content.requestBody?.content['application/json'] !== undefined)
const fieldsOf = ({ content }: (typeof posts)[number]) =>
  Object.keys(content.requestBody.content['application/json'].schema.properties)

const send = (route: string, body: string) => service.call(route.replace('{id}', 'none'), { token, body })

/** The shortest of up to five runs, since load on the machine only makes runs longer; one within the bound is enough. */
async function quickestMs(work: () => Promise<unknown>): Promise<number> {
  let quickest = Infinity
  for (let run = 0; run < 5 && quickest >= AT_MOST_MS; run++) {
    const tookMs = stopwatch()
    await work()
    quickest = Math.min(quickest, tookMs())
  }
  return quickest
}

/** A JSON object with as many of these keys as a body may have. */
function flooded(keys: (n: number) => string): string {
  const fields: string[] = []
  for (let length = 2, n = 0; ; n++) {
    const field = `${JSON.stringify(keys(n))}:0`
    length += field.length + 1
    if (length > LIMIT) return `{${fields.join(',')}}`
    fields.push(field)
  }
}

describe('a value of any endpoint’s field', () => {
  // As JSON text, because `JSON.stringify` cannot produce some of them.
  const values: Readonly<Record<string, string>> = {
    'a number that overflows': '1e400',
    'a negative number that overflows': '-1e400',
    'sixty thousand digits': '9'.repeat(60_000),
    'a long fraction': `0.${'1'.repeat(60_000)}`,
    'a tiny number': '1e-400',
    'an integer beyond 2^53': '9007199254740993',
    'minus zero': '-0',
    'half a surrogate pair': '"\\ud800"',
    'the other half of a surrogate pair': '"a\\udfffb"',
    'a reversed surrogate pair': '"\\udc00\\ud800@example.com"',
    'half a surrogate pair in a URL': '"https://example.com/\\ud83d"',
    'zero bytes': '"\\u0000"',
    'a zero byte in an address': '"a\\u0000@example.com"',
    noncharacters: '"\\uffff\\ufffe"',
    'a long text': `"${'a'.repeat(60_000)}"`,
    'a text that grows under normalisation': `"${'\ufdfa'.repeat(20_000)}"`,
    'a letter with 30,000 combining marks': `"a${'\u0301'.repeat(30_000)}"`,
    'at signs': `"${'@'.repeat(60_000)}"`,
    'a text that slows regular expressions': `"${'a.'.repeat(30_000)}!"`,
    blanks: `"${' '.repeat(60_000)}"`,
    null: 'null',
    'a list': '[]',
    'an object like an array': '{"length":1e9,"0":"a"}',
    'an object like text': '{"toString":"x","valueOf":"y"}',
    'ten thousand lists': '['.repeat(10_000) + ']'.repeat(10_000),
  }

  for (const [what, value] of Object.entries(values)) {
    test(`that is ${what} gets a documented answer and never a server error`, async () => {
      for (const operation of posts) {
        for (const field of fieldsOf(operation)) {
          const answer = await send(operation.route, `{"${field}":${value}}`)
          assert.ok(answer.status < 500, `${operation.route} ${field}: ${answer.status}`)
          assertDocumented(operation.route.replace('{id}', 'none'), answer)
        }
      }
      assert.deepEqual(service.logLines, [], 'no error is logged')
    })
  }
})

describe('names in a body', () => {
  test('that target prototypes are refused at every endpoint and change no prototype [F34]', async () => {
    const names = Object.getOwnPropertyNames(Object.prototype)
    const values = ['{"isAdmin":true,"role":"ADMIN"}', '{"prototype":{"role":"ADMIN"}}', 'null', '1']
    const hostile = [
      ...['__proto__', 'constructor'].flatMap((name) => values.map((value) => [name, value])),
      // No parser gives these a meaning, whatever their value.
      ...['prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON'].map((name) => [name, values[0]]),
    ]
    for (const { route } of posts) {
      for (const [name, value] of hostile) {
        const answer = await send(route, `{"${name}":${value}}`)
        // The error names the unknown field, or a missing required one that is checked first.
        assert.equal(answer.status, 400, `${route} ${name} ${answer.text}`)
      }
    }
    assert.deepEqual(Object.getOwnPropertyNames(Object.prototype), names)
    assert.equal(({} as Record<string, unknown>)['role'], undefined)
    assert.equal((await service.call('GET /users/me', { token })).body.user.role, 'USER')
  })

  test('that are repeated count once: the last one wins [F34]', async () => {
    const answer = await send('POST /auth/api-keys', '{"name":"first","name":"last"}')
    assert.equal(answer.body.apiKey.name, 'last')
    assertError(await send('POST /auth/api-keys', '{"name":"first","name":1}'), 'VALIDATION_FAILED')
    assertError(await send('PATCH /users/me', '{"name":"first","na\\u006de":1}'), 'VALIDATION_FAILED')
  })

  const floods: Readonly<Record<string, (n: number) => string>> = {
    // V8 hashes integer strings by value: the low bits of these are equal.
    'integers with equal hashes': (n) => String(1_000_000_000 + n * 8192),
    'integers with equal hashes in their highest bits': (n) => String(16_777_216 * (n % 256) + Math.floor(n / 256)),
    'small integers': String,
    'large integers, which would make an array long': (n) => String(4_294_967_294 - n * 65_536),
    'ordinary names': (n) => `key${n}`,
    'one name': () => 'a',
    'inherited names': (n) => ['__proto', 'constructo', 'valueOf', 'hasOwnProperty'][n % 4] + String(n),
  }
  for (const [what, keys] of Object.entries(floods)) {
    test(`as many as fit, ${what}: 400 at once [CVE-2026-21717, F34]`, async () => {
      const body = flooded(keys)
      for (const route of ['POST /auth/api/signup', 'POST /auth/api/token', 'POST /auth/api-keys']) {
        const answers: Answer[] = []
        const ms = await quickestMs(async () => answers.push(await send(route, body)))
        for (const answer of answers) assertError(answer, 'VALIDATION_FAILED')
        assert.ok(ms < AT_MOST_MS, `${route}: ${ms} ms`)
      }
    })
  }

  test('of a megabyte are not read [CVE-2026-21717]', async () => {
    const body = `{${Array.from({ length: 70_000 }, (_, n) => `"${1_000_000_000 + n * 8192}":0`).join(',')}}`
    assert.ok(body.length > 1_000_000)
    assertError(await send('POST /auth/api/token', body), 'PAYLOAD_TOO_LARGE')
  })
})

describe('JSON of the greatest depth that can be sent', () => {
  test('is refused in a body at every endpoint [CVE-2025-59466, F34]', async () => {
    const bodies = [
      '['.repeat(LIMIT),
      '['.repeat(LIMIT / 2) + ']'.repeat(LIMIT / 2),
      '{"a":'.repeat(13_000),
      `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      `${'{"__proto__":'.repeat(4000)}1${'}'.repeat(4000)}`,
      `${'[{"a":'.repeat(8000)}1${'}]'.repeat(8000)}`,
    ]
    for (const { route } of posts) {
      for (const body of bodies) {
        const answers: Answer[] = []
        const ms = await quickestMs(async () => answers.push(await send(route, body)))
        assertError(answers[0] as Answer, 'VALIDATION_FAILED')
        assert.ok(ms < AT_MOST_MS, `${route}: ${ms} ms`)
      }
    }
    // 100,000 levels, as in the attack list, exceed the body limit.
    assertError(await send('POST /auth/api/token', '['.repeat(100_000)), 'PAYLOAD_TOO_LARGE')
  })

  test('is refused in a token’s header and claims, signed or not, like any other invalid token [CVE-2025-59466]', async () => {
    const { config, clock, db } = service.deps
    const [user] = (await databaseContent(db)).users
    const right = rightParts(config, user?.id ?? '', clock.now())
    const deep = (head: string, close: string) => Buffer.from(`${head}${'['.repeat(5000)}${']'.repeat(5000)}${close}`)
    const inClaims = deep(`${JSON.stringify(right.claims).slice(0, -1)},"deep":`, '}')
    const inHeader = deep(`${JSON.stringify(right.header).slice(0, -1)},"deep":`, '}')
    const tokens = {
      'claims, unsigned': `${segment(right.header)}.${segment(deep('', ''))}.AAAA`,
      'header, unsigned': `${segment(deep('', ''))}.${segment(right.claims)}.AAAA`,
      'only brackets, signed': signed(segment(right.header), segment(deep('', '')), config.jwtSecret),
      'header, signed with another secret': signed(segment(inHeader), segment(right.claims), 'x'.repeat(40)),
      'claims, signed with another secret': signed(segment(right.header), segment(inClaims), 'x'.repeat(40)),
    }
    for (const [what, deepToken] of Object.entries(tokens)) {
      const answers: Answer[] = []
      const ms = await quickestMs(async () => answers.push(await service.call('GET /users/me', { token: deepToken })))
      assertError(answers[0] as Answer, 'UNAUTHORIZED')
      assert.ok(ms < AT_MOST_MS, `${what}: ${ms} ms`)
    }
    assert.deepEqual(service.logLines, [], 'no error is logged')
  })
})

test('hostile bodies store and send nothing, and concurrent calls are served [F34]', async () => {
  const hostile = [
    '['.repeat(LIMIT),
    flooded((n) => String(1_000_000_000 + n * 8192)),
    `{"email":"${'@'.repeat(60_000)}"}`,
  ]
  await assertNothingHappens(service, async () => {
    const flood = Array.from({ length: 60 }, (_, n) => send('POST /auth/api/signup', hostile[n % 3] ?? ''))
    const otherCalls = Array.from({ length: 20 }, () => service.call('GET /users/me', { token }))
    for (const { status } of await Promise.all(flood)) assert.equal(status, 400)
    for (const { status } of await Promise.all(otherCalls)) assert.equal(status, 200)
  })
})
