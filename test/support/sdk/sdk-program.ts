/** Runs in every runtime; covers what differs between them: resent requests, redirects, signals. */
import type * as Sdk from '../../../sdk/src/index.ts'

export type Given = Readonly<{
  baseUrl: string
  keyId: string
  keySecret: string
  troublesomeUrl: string
}>

export type Found = Readonly<Record<string, unknown>>

/** @param sdk the package as installed in that runtime */
export async function program(sdk: typeof Sdk, { baseUrl, troublesomeUrl, ...key }: Given): Promise<Found> {
  const client = sdk.createClient({ baseUrl, ...key, currency: 'EUR' })
  const [first] = await Promise.all([1, 2, 3].map(() => client.GET('/users/me')))
  const body = { amount: 1050, title: 'Logo' }
  const created = await client.POST('/payment-links', { body, params: { header: { 'idempotency-key': 'once' } } })
  const { id } = created.data.paymentLink
  const read = await client.GET('/payment-links/{id}', { params: { path: { id }, header: { 'x-currency': 'EUR' } } })

  const at = (path: string, options: object = {}): Sdk.Client =>
    sdk.createClient({ baseUrl: troublesomeUrl + path, ...key, ...options })
  const failureOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => 'none',
      (error: unknown) => (error instanceof sdk.ApiError ? error.code : (error as Error).name),
    )
  const refusedOnce = await at('/refused-once').POST('/payment-links', { body })
  return {
    email: first?.data.user.email,
    currency: first?.response.headers.get('x-currency'),
    title: read.data.paymentLink.title,
    isUnknown: await client
      .GET('/payment-links/{id}', { params: { path: { id: 'none' } } })
      .catch((error: unknown) => error instanceof sdk.NotFoundError),
    sentAgain: refusedOnce.data,
    waited: (await at('/busy-once').GET('/users/me')).data,
    redirect: await failureOf(at('/redirect').GET('/users/me')),
    page: await failureOf(at('/page').GET('/users/me')),
    late: await failureOf(at('/silent', { timeoutSeconds: 0.2 }).GET('/users/me')),
    givenUp: await failureOf(at('/away').GET('/users/me', { signal: AbortSignal.timeout(200) })),
    wrongSecret: await failureOf(sdk.createClient({ baseUrl, ...key, keySecret: 'pls_wrong' }).GET('/users/me')),
    printed: JSON.stringify(client),
  }
}
