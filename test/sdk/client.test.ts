/** The client as a program uses it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import {
  ApiError,
  createClient,
  CurrencyNotSupportedError,
  EmailTakenError,
  InvalidCredentialsError,
  PaylinkAuthError,
  UnauthorizedError,
  ValidationFailedError,
} from '../../sdk/src/index.ts'
import type { Client, ClientOptions, Currency } from '../../sdk/src/index.ts'
import { createKey } from '../support/accounts/keys.ts'
import type { NewKey } from '../support/accounts/keys.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

let service: Service
let requests: string[]
let person: string

before(async () => {
  requests = []
  service = await startService({}, (app) => {
    app.addHook('onRequest', async ({ method, url }) => void requests.push(`${method} ${url.replace('/api/v1', '')}`))
  })
  person = await service.signIn('ana@example.com')
})
after(() => service.close())

const clientOf = ({ apiKey, keySecret }: NewKey, options: Partial<ClientOptions> = {}): Client =>
  createClient({ baseUrl: service.baseUrl, keyId: apiKey.keyId, keySecret, ...options } as ClientOptions)

async function requestsOf(act: () => Promise<unknown>): Promise<string[]> {
  requests.length = 0
  await act()
  return [...requests]
}

const EXCHANGE = 'POST /auth/api/token'
const ME = 'GET /users/me'

describe('with an API key', () => {
  test('concurrent calls share one exchange, and later ones use its token', async () => {
    const client = clientOf(await createKey(service, person))
    const together = await requestsOf(() => Promise.all([1, 2, 3, 4, 5].map(() => client.GET('/users/me'))))
    assert.deepEqual(together, [EXCHANGE, ...Array<string>(5).fill(ME)])
    assert.deepEqual(await requestsOf(() => client.GET('/users/me')), [ME])
  })

  test('a refused token is renewed by one exchange for all refused calls', async () => {
    const client = clientOf(await createKey(service, person))
    await client.GET('/users/me')
    await service.call('POST /auth/tokens/revoke', { token: person })
    person = await service.signIn('ana@example.com')
    const calls = await requestsOf(async () => {
      const answers = await Promise.all([1, 2, 3].map(() => client.GET('/users/me')))
      for (const { data } of answers) assert.equal(data.user.email, 'ana@example.com')
    })
    assert.equal(calls.filter((call) => call === EXCHANGE).length, 1)
    assert.equal(calls.filter((call) => call === ME).length, 6)
  })

  test('a failed exchange fails every waiting call, and the next call retries it', async () => {
    const key = await createKey(service, person)
    const client = clientOf(key)
    await service.call(`POST /auth/api-keys/${key.apiKey.id}/revoke`, { token: person })
    const together = await requestsOf(async () => {
      const results = await Promise.allSettled([1, 2, 3].map(() => client.GET('/users/me')))
      for (const result of results)
        assert.ok(result.status === 'rejected' && result.reason instanceof InvalidCredentialsError)
    })
    assert.deepEqual(together, [EXCHANGE])
    assert.deepEqual(await requestsOf(() => assert.rejects(client.GET('/users/me'))), [EXCHANGE])
  })

  test('public operations need no token', async () => {
    const client = clientOf(await createKey(service, person))
    assert.deepEqual(await requestsOf(() => client.GET('/auth/config')), ['GET /auth/config'])
  })

  test('the currency is that of the client, or of the call', async () => {
    const client = clientOf(await createKey(service, person), { currency: 'EUR' })
    const currencyOf = async (params?: { header: { 'x-currency': Currency } }) => {
      const { response } = await client.GET('/users/me', params && { params })
      return response.headers.get('x-currency')
    }
    assert.equal(await currencyOf(), 'EUR')
    assert.equal(await currencyOf({ header: { 'x-currency': 'GBP' } }), 'GBP')
  })

  test('path, query, body and header fields arrive as the operation declares them', async () => {
    const client = clientOf(await createKey(service, person), { currency: 'GBP' })
    const create = () =>
      client.POST('/payment-links', {
        body: { amount: 1050, title: 'Logo / “new”', reference: 'A&B=1' },
        params: { header: { 'idempotency-key': 'once' } },
      })
    const { data, response } = await create()
    assert.equal(response.status, 201)
    assert.equal((await create()).data.paymentLink.id, data.paymentLink.id)
    const { data: listed } = await client.GET('/payment-links', {
      params: { query: { reference: 'A&B=1', limit: 1 } },
    })
    assert.deepEqual(
      listed.paymentLinks.map(({ id, title, amount }) => [id, title, amount]),
      [[data.paymentLink.id, 'Logo / “new”', { currency: 'GBP', value: 1050 }]],
    )
    const one = await client.GET('/payment-links/{id}', { params: { path: { id: data.paymentLink.id } } })
    assert.equal(one.data.paymentLink.original.currency, 'GBP')
    await client.PATCH('/users/me', { body: { name: 'Ana' } })
    assert.equal((await client.GET('/users/me')).data.user.name, 'Ana')
  })

  test('the token for other services is the one in use, and is renewed after it was refused there', async () => {
    const client = clientOf(await createKey(service, person))
    const first = await client.token()
    assert.equal(await client.token(), first)
    const [second, third] = await Promise.all([client.token(first), client.token(first)])
    assert.notEqual(second, first)
    assert.equal(third, second)
    assert.equal((await service.call(ME, { token: second })).status, 200)
  })
})

describe('without one', () => {
  test('a person’s token makes calls, and is not renewed when it is refused', async () => {
    const client = createClient({ baseUrl: service.baseUrl, token: person })
    assert.deepEqual(await requestsOf(() => client.GET('/users/me')), [ME])
    assert.equal(await client.token(), person)
    const refused = createClient({ baseUrl: service.baseUrl, token: 'abc.def.ghi' })
    assert.deepEqual(await requestsOf(() => assert.rejects(refused.GET('/users/me'), UnauthorizedError)), [ME])
    await assert.rejects(client.token(person), TypeError)
  })

  test('a program signs up and continues with its key', async () => {
    const nobody = createClient({ baseUrl: service.baseUrl })
    const signUp = () => nobody.POST('/auth/api/signup', { body: { email: 'shop@example.com' } })
    const { data } = await signUp()
    const client = clientOf(data)
    assert.equal((await client.GET('/users/me')).data.user.email, 'shop@example.com')
    await assert.rejects(signUp(), EmailTakenError)
    await assert.rejects(nobody.GET('/users/me'), UnauthorizedError)
    await assert.rejects(nobody.token(), TypeError)
  })
})

describe('errors', () => {
  test('are classes by code, with the fields that a program and a log need', async () => {
    const client = clientOf(await createKey(service, person), { currency: 'USD' as 'EUR' })
    const error = await client.GET('/users/me').then(
      () => assert.fail(),
      (thrown: unknown) => thrown,
    )
    assert.ok(
      error instanceof CurrencyNotSupportedError && error instanceof ApiError && error instanceof PaylinkAuthError,
    )
    assert.deepEqual(
      [error.name, error.code, error.status, error.retryAfterSeconds],
      ['CurrencyNotSupportedError', 'CURRENCY_NOT_SUPPORTED', 400, null],
    )
    assert.match(error.requestId ?? '', /^[\w.-]+$/)
    const noTitle = { body: { amount: 1 } as { amount: number; title: string } }
    const named = createClient({ baseUrl: service.baseUrl, token: person }).POST('/payment-links', noTitle)
    await assert.rejects(named, (thrown) => thrown instanceof ValidationFailedError && /title/.test(thrown.message))
  })

  test('contain neither secret nor token, nor does the client', async () => {
    const key = await createKey(service, person)
    const wrong = `pls_${'x'.repeat(49)}`
    const client = clientOf(key, { keySecret: wrong })
    const error: unknown = await client.GET('/users/me').catch((thrown: unknown) => thrown)
    const working = clientOf(key)
    const token = await working.token()
    const shown = [error, client, working]
      .map((it) => inspect(it, { depth: 20, showHidden: true }) + JSON.stringify(it))
      .join('')
    assert.match(shown, /InvalidCredentialsError/)
    for (const secret of [wrong, key.keySecret, token]) assert.ok(!shown.includes(secret))
  })

  test('about arguments are thrown before anything is sent, and do not contain the argument', async () => {
    const { apiKey, keySecret } = await createKey(service, person)
    const right = { baseUrl: service.baseUrl, keyId: apiKey.keyId, keySecret }
    const wrong: readonly (readonly [RegExp, object])[] = [
      [/baseUrl must be an absolute URL/, { baseUrl: 'auth.example.com' }],
      [/baseUrl must be an absolute URL/, { baseUrl: undefined }],
      [/https:/, { baseUrl: 'http://auth.example.com/api/v1' }],
      [/https:/, { baseUrl: 'http://127.0.0.1.example.com/api/v1' }],
      [/https:/, { baseUrl: 'http://my-localhost/api/v1' }],
      [/https:/, { baseUrl: 'ftp://localhost/api/v1' }],
      [/no user, query or fragment/, { baseUrl: 'https://me:hunter2@auth.example.com' }],
      [/keyId/, { keyId: undefined }],
      [/keyId/, { keyId: keySecret, keySecret: apiKey.keyId }],
      [/keySecret/, { keySecret: undefined }],
      [/either token/, { token: person }],
    ]
    const told = await requestsOf(async () => {
      for (const [message, part] of wrong) {
        const error = (() => {
          try {
            return createClient({ ...right, ...part })
          } catch (thrown) {
            return thrown
          }
        })()
        assert.ok(error instanceof TypeError && message.test(error.message), inspect(error))
        for (const secret of [keySecret, 'hunter2']) assert.ok(!inspect(error).includes(secret))
      }
      for (const token of [undefined, '', 'a b', `${person}\n`]) {
        const make = () => createClient({ baseUrl: service.baseUrl, token: token as string })
        assert.throws(make, { name: 'TypeError', message: 'token must be an access token' })
      }
    })
    assert.deepEqual(told, [])
    for (const baseUrl of [
      'https://auth.example.com/api/v1/',
      'http://localhost:3000',
      'http://[::1]:3000',
      'http://127.0.0.2',
    ]) {
      createClient({ baseUrl })
    }
  })
})
