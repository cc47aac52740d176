/** A thief with a stolen credential who calls one endpoint in a loop while the owner acts, for every endpoint. */
import assert from 'node:assert/strict'
import type { EventType } from '../../../src/domain/events/security-events.ts'
import type { App } from '../../../src/http/endpoint.ts'
import { signInMail } from '../mail/buttons.ts'
import type { SignInMail } from '../mail/buttons.ts'
import { startGoogleService } from '../google/google.ts'
import type { GoogleService } from '../google/google.ts'
import { createKey, tokenOf } from './keys.ts'
import type { NewKey } from './keys.ts'
import { productionLimits } from '../http/limits.ts'
import { createLink } from './payment-links.ts'
import { signInIdOf } from './sessions.ts'
import type { Answer, Call } from '../service.ts'
import { until } from '../until.ts'

export type Victim = Readonly<{
  email: string
  /** The mail whose link the owner signed in with, and the token of that sign-in. */
  mail: SignInMail
  owner: string
  /** A stolen key with its token, and a key that is not stolen. */
  stolen: NewKey
  other: NewKey
  otherToken: string
  /** A key made before the owner's first sign-in, which awaits the owner's decision. */
  waiting: NewKey
  links: string[]
}>

export type Misuse = Readonly<{
  /** The request; `path` is below the base URL, `n` is the attempt's number. */
  call(service: GoogleService, victim: Victim, n: number): Call & Readonly<{ path?: string }>
  /** Status for a key's token before the owner acts; 403 is `SIGN_IN_REQUIRED`. */
  byKey: number
  bySignIn: number
  /** Status for a fresh sign-in by a stolen link, where it differs from `bySignIn`. */
  byLink?: number
  event?: EventType
  /** What a thief's sign-in leaves behind that outlives its token. */
  outlives?: 'keys' | 'connection' | 'nothing is left'
}>

const look: Misuse = { call: () => ({}), byKey: 200, bySignIn: 200 }

/** Every endpoint behind the guard, as in the table of docs/security.md. */
export const misuses: Readonly<Record<string, Misuse>> = {
  'GET /users/me': look,
  'PATCH /users/me': { ...look, call: (_, _victim, n) => ({ body: { name: `Thief ${n}` } }), event: 'renamed' },
  'POST /users/me/email': {
    call: (_, { email }, n) => ({ body: { email: `thief-${n}-of-${email}` } }),
    byKey: 403,
    bySignIn: 403,
    byLink: 202,
    event: 'email_change_asked',
  },
  // Of another change: what a thief gains by a change is in test/journeys/stolen-address.test.ts.
  'POST /auth/email/confirm': { ...look, call: () => ({ body: { token: 'unknown' } }), byKey: 403, bySignIn: 401 },
  'DELETE /users/me': { ...look, byKey: 403, bySignIn: 403, byLink: 200, outlives: 'nothing is left' },
  'GET /users/me/export': { ...look, byKey: 403, event: 'exported' },
  'POST /auth/tokens/revoke': { ...look, byKey: 403, event: 'tokens_revoked' },
  'GET /auth/sessions': { ...look, byKey: 403 },
  'POST /auth/sessions/:id/revoke': {
    call: (_, { owner }) => ({ path: `/auth/sessions/${signInIdOf(owner)}/revoke` }),
    byKey: 403,
    bySignIn: 200,
    event: 'signed_out',
  },
  'POST /auth/sign-out': { ...look, byKey: 403, event: 'signed_out' },
  'GET /auth/events': look,
  'GET /auth/api-keys': look,
  'POST /auth/api-keys': { ...look, byKey: 201, bySignIn: 201, event: 'key_created', outlives: 'keys' },
  'GET /auth/api-keys/:id/descendants': {
    ...look,
    call: (_, { other }) => ({ path: `/auth/api-keys/${other.apiKey.id}/descendants` }),
  },
  'GET /auth/api-keys/:id/uses': {
    ...look,
    call: (_, { other }) => ({ path: `/auth/api-keys/${other.apiKey.id}/uses` }),
  },
  'PATCH /auth/api-keys/:id': {
    call: (_, { other }, n) => ({
      path: `/auth/api-keys/${other.apiKey.id}`,
      body: { restrictions: { maxAmount: { EUR: 1 + (n % 1000) } } },
    }),
    byKey: 403,
    bySignIn: 200,
    event: 'key_restricted',
    // The loop also allows more than before.
    outlives: 'keys',
  },
  'POST /auth/api-keys/:id/revoke': {
    ...look,
    call: (_, { other }) => ({ path: `/auth/api-keys/${other.apiKey.id}/revoke?withDescendants=true` }),
    byKey: 403,
    event: 'key_revoked',
  },
  'POST /auth/api-keys/:id/rotate': {
    call: (_, { other }) => ({ path: `/auth/api-keys/${other.apiKey.id}/rotate` }),
    byKey: 403,
    bySignIn: 200,
    event: 'key_rotated',
    outlives: 'keys',
  },
  'POST /auth/api-keys/:id/keep': {
    call: (_, { waiting }) => ({ path: `/auth/api-keys/${waiting.apiKey.id}/keep` }),
    byKey: 403,
    bySignIn: 200,
    event: 'key_kept',
    outlives: 'keys',
  },
  'GET /auth/google/connection': look,
  'POST /auth/google/connection': {
    call: ({ issuer }) => ({
      body: { credential: issuer.sign(issuer.claims({ sub: 'thief', email: 'thief@gmail.com' })) },
    }),
    byKey: 403,
    bySignIn: 403,
    byLink: 200,
    event: 'google_connected',
    outlives: 'connection',
  },
  'DELETE /auth/google/connection': { ...look, byKey: 403, bySignIn: 403, byLink: 200 },
  'GET /payment-links': look,
  'POST /payment-links': {
    call: (_, _victim, n) => ({ body: { amount: 100, title: 'Tea' }, headers: { 'idempotency-key': `INV-${n}` } }),
    byKey: 201,
    bySignIn: 201,
  },
  'GET /payment-links/:id': { ...look, call: (_, { links }) => ({ path: `/payment-links/${links[0]}` }) },
  'POST /payment-links/:id/deactivate': {
    ...look,
    call: (_, { links }, n) => ({ path: `/payment-links/${links[n % links.length]}/deactivate` }),
    event: 'payment_link_deactivated',
  },
  'GET /auth/check': look,
}

/** A service with low rate limits, and the protected endpoints as the documentation lists them. */
export async function startWithThief(
  more: Readonly<Record<string, string>> = {},
): Promise<{ service: GoogleService; guarded: string[] }> {
  const guarded: string[] = []
  const collect = (app: App): void => {
    app.addHook('onRoute', ({ method, url, config, schema }) => {
      if (config?.access !== 'authenticated' || schema?.hide === true || method === 'HEAD') return
      guarded.push(`${String(method)} ${url.replace('/api/v1', '')}`)
    })
  }
  const env = {
    ...productionLimits,
    RATE_LIMIT_REQUEST_REPEAT: '1000/1s',
    RATE_LIMIT_REQUEST_ADDRESS_CLIENT: '1000/1s',
    RATE_LIMIT_REQUEST_ADDRESS: '1000/1s',
    RATE_LIMIT_REQUEST_CLIENT: '1000/1s',
    RATE_LIMIT_SIGNUP_HOUR: '1000/1h',
    RATE_LIMIT_SIGNUP_DAY: '1000/1d',
    RATE_LIMIT_EXCHANGE_FAILURES: '1000/1s',
    RATE_LIMIT_EXCHANGE_FAILURES_CLIENT: '10000/1s',
    RATE_LIMIT_EXPORT: '2/1h',
    RATE_LIMIT_KEY_CREATION: '6/1h',
    RATE_LIMIT_PAYMENT_LINKS: '6/10m',
    ...more,
  }
  return { service: await startGoogleService(env, undefined, collect), guarded }
}

/** An account that existed before its owner's first sign-in, and that the owner uses. */
export async function newVictim(service: GoogleService, email: string): Promise<Victim> {
  const waiting = await service.signUp(email)
  const mail = await signInMail(service, email)
  const owner = (await service.call(`GET /auth/verify?token=${mail.link}`)).body.token
  const stolen = await createKey(service, owner, { name: 'Stolen' })
  const other = await createKey(service, owner, { name: 'Other' })
  const links: string[] = []
  for (let n = 0; n < 3; n += 1) links.push((await createLink(service, owner)).id)
  service.clock.advance(1000)
  return { email, mail, owner, stolen, other, otherToken: await tokenOf(service, other), waiting, links }
}

/** Calls repeatedly, several calls in flight, until stopped. */
export function loop(attempt: (n: number) => Promise<Answer>) {
  const statuses: number[] = []
  const over = new AbortController()
  let n = 0
  const work = async () => {
    while (!over.signal.aborted) statuses.push((await attempt(n++)).status)
  }
  const workers = [work(), work(), work()]
  return {
    statuses,
    async answered(more: number): Promise<void> {
      const from = statuses.length
      await until(() => statuses.length >= from + more, 'more calls of the thief')
    },
    async stop(): Promise<void> {
      over.abort()
      await Promise.all(workers)
    },
  }
}

/** The route of a misuse with its path parameters filled in. */
export function misuse(
  service: GoogleService,
  victim: Victim,
  route: string,
  token: string,
  n: number,
): Promise<Answer> {
  const { path, ...call } = misuses[route]?.call(service, victim, n) ?? {}
  const [method = '', pattern = ''] = route.split(' ')
  return service.call(`${method} ${path ?? pattern}`, { ...call, token })
}

/** Makes the owner's usual calls. All must succeed: no limit is exhausted and nothing was undone. */
export async function assertOwnerHasAll({ call }: GoogleService, token: string): Promise<void> {
  const succeeds = async (status: number, route: string, body?: object) => {
    const answer = await call(route, { token, ...(body && { body }), headers: { 'idempotency-key': 'INV-0' } })
    assert.equal(answer.status, status, `${route}: ${answer.text}`)
    return answer.body
  }
  assert.equal((await succeeds(200, 'PATCH /users/me', { name: 'Owner' })).user.name, 'Owner')
  const { apiKey } = await succeeds(201, 'POST /auth/api-keys', {})
  await succeeds(200, `POST /auth/api-keys/${apiKey.id}/rotate`)
  await succeeds(200, `POST /auth/api-keys/${apiKey.id}/revoke`)
  const { paymentLink } = await succeeds(201, 'POST /payment-links', { amount: 4200, title: 'Of the owner' })
  await succeeds(200, `POST /payment-links/${paymentLink.id}/deactivate`)
  await succeeds(200, 'GET /users/me/export')
  assert.equal((await succeeds(200, 'GET /users/me')).user.name, 'Owner', 'and it stays')
}

/** Asserts that the event list shows this event to the owner. */
export async function assertSeen({ call }: GoogleService, token: string, event: EventType | undefined): Promise<void> {
  if (event === undefined) return
  const { events } = (await call('GET /auth/events?limit=100', { token })).body
  assert.ok(
    events.some(({ type }: { type: string }) => type === event),
    event,
  )
}
