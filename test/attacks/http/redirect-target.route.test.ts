/** No `redirectTo`, on any route that takes one, leads a mail, a link or a browser away from the frontend. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../../support/http/answers.ts'
import type { Answer } from '../../support/http/call.ts'
import { mailedToken, verify } from '../../support/mail/links.ts'
import { redirectTricks, scannerPayloads } from '../../support/http/redirect-tricks.ts'
import { frontend, targetOf } from '../../support/http/redirects.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens } from '../../support/database/state.ts'

const BROWSER = { headers: { accept: 'text/html' } }

type Case = Readonly<{ input: string; base: string; failure?: boolean }>
const { cases } = JSON.parse(readFileSync(new URL('../../support/http/urltestdata.json', import.meta.url), 'utf8')) as {
  cases: Case[]
}

let service: Service
let live: string
before(async () => {
  service = await startService({ APP_URL: frontend.href })
  live = await mailedToken(service, 'ana@example.com')
})
after(() => service.close())

const routes: Readonly<Record<string, (redirectTo: string) => Promise<Answer>>> = {
  'POST /auth/request': (redirectTo) =>
    service.call('POST /auth/request', { body: { email: 'visitor@example.com', redirectTo } }),
  'GET /auth/verify by a program': (redirectTo) => verify(service, live, { redirectTo }),
  'GET /auth/verify by a browser': (redirectTo) => verify(service, live, { redirectTo, ...BROWSER }),
}

/** Asserts that every route refuses all of these with one error and stores, sends and uses up nothing. */
async function assertRefused(inputs: readonly string[]): Promise<void> {
  await assertNothingHappens(service, async () => {
    for (const [route, ask] of Object.entries(routes)) {
      for (let from = 0; from < inputs.length; from += 50) {
        const some = inputs.slice(from, from + 50)
        const answers = await Promise.all(some.map(ask))
        for (const [index, answer] of answers.entries()) {
          assert.equal(
            answer.body?.error?.code,
            'REDIRECT_NOT_ALLOWED',
            `${route} ${JSON.stringify(some[index])} ${answer.text}`,
          )
          assertError(answer, 'REDIRECT_NOT_ALLOWED')
          assert.equal(answer.headers.get('location'), null)
          assert.doesNotMatch(answer.text, /evil/)
        }
      }
    }
  })
}

const tricksOf = (...kinds: readonly string[]) => {
  const inputs = kinds.flatMap((kind) => redirectTricks[kind] ?? [])
  assert.ok(inputs.length >= kinds.length * 5, 'the corpus has them')
  return inputs
}

describe('every route refuses a redirectTo with', () => {
  test('no scheme, slashes, backslashes, another scheme or port, or double encoding [CVE-2024-56734, O1]', () =>
    assertRefused(
      tricksOf(
        'not an absolute URL',
        'scheme, slashes and backslashes',
        'another scheme',
        'another port',
        'double encoding',
      ),
    ))

  test('a similar host, white space or look-alike letters [GHSA-qqxw-m5fj-f7gv]', () =>
    assertRefused(
      tricksOf(
        'a host with a matching prefix or suffix',
        'white space and control characters that change the host',
        'lookalike letters',
      ),
    ))

  test('any payload of an open-redirect scanner [GHSA-qqxw-m5fj-f7gv, O1]', () =>
    assertRefused(scannerPayloads(frontend.host)))

  test('credentials before the host, the frontend’s own host included [CVE-2026-28512]', () =>
    assertRefused(tricksOf('credentials before the host')))

  test('an IP address, a wildcard or another odd host [supabase/auth #1974]', () =>
    assertRefused(tricksOf('odd hosts')))

  const failures = new Set(
    cases.filter(({ failure, base }) => failure === true && base === 'about:blank').map(({ input }) => input),
  )

  test('any input that fails to parse by the URL Standard [CVE-2022-31093]', async () => {
    assert.ok(failures.size > 100, `${failures.size}`)
    await assertRefused([...failures])
  })

  test('any other input of the URL Standard’s test data [O1]', async () => {
    const others = new Set(cases.map(({ input }) => input)).difference(failures)
    const elsewhere = [...others].filter((input) => targetOf(input) === undefined)
    assert.ok(elsewhere.length > 400, `${elsewhere.length}`)
    await assertRefused(elsewhere)
  })
})

test('every route accepts a redirectTo on the frontend and redirects to its parsed form [O1]', async () => {
  const accepted = {
    'https://app.example.com': 'https://app.example.com/',
    'HTTPS://APP.example.com:443/a/../b?c#d': 'https://app.example.com/b?c#d',
    ' https:\\\\app.example.com\\x\t': 'https://app.example.com/x',
    'https://app.example.com//evil.example': 'https://app.example.com//evil.example',
    'https://app.example.com/?next=//evil.example': 'https://app.example.com/?next=//evil.example',
  }
  for (const [given, target] of Object.entries(accepted)) {
    const token = await mailedToken(service, 'bob@example.com', { redirectTo: given })
    for (const options of [BROWSER, { ...BROWSER, redirectTo: given }]) {
      const redirected = await verify(service, token, options)
      const location = new URL(redirected.headers.get('location') ?? '')
      assert.equal(location.origin + location.pathname, `${service.origin}/confirm`)
      assert.equal(new URLSearchParams(location.hash.slice(1)).get('redirectTo'), target)
    }
    assert.equal((await verify(service, token, { redirectTo: given })).status, 200)
  }
})

test('the link still works after all of these', async () => {
  assert.equal((await verify(service, live)).status, 200)
})
