/** The browser's part of a sign-in with Google, against a scripted issuer. */
import assert from 'node:assert/strict'
import type { Answer } from '../http/call.ts'
import type { Certificate } from '../http/certificate.ts'
import { startIssuer } from './issuer.ts'
import type { Issuer } from './issuer.ts'
import { startService } from '../service.ts'
import type { Service } from '../service.ts'

/** A service whose Google is `issuer`. */
export type GoogleService = Service & Readonly<{ issuer: Issuer }>

/** Starts both; closing the service closes the issuer, which uses TLS if it has a certificate. */
export async function startGoogleService(
  env: Record<string, string> = {},
  certificate?: Certificate,
  prepare?: Parameters<typeof startService>[1],
): Promise<GoogleService> {
  let nowMs = () => Date.now()
  const issuer = await startIssuer(() => nowMs(), certificate)
  const service = await startService({ ...issuer.env, ...env }, prepare)
  nowMs = () => service.clock.now()
  return {
    ...service,
    issuer,
    async close() {
      await service.close()
      await issuer.close()
    },
  }
}

export type CookieJar = Readonly<{
  /** The `Cookie` field for the next request; empty without cookies. */
  header(): Record<string, string>
  /** Applies an answer's `Set-Cookie` fields, deletions included. */
  take(answer: Answer): void
  cookies: Map<string, string>
}>

export function cookieJar(): CookieJar {
  const cookies = new Map<string, string>()
  return {
    cookies,
    header: () => (cookies.size === 0 ? {} : { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
    take({ headers }) {
      for (const cookie of headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        if (/; Max-Age=0(;|$)/i.test(cookie)) cookies.delete(name)
        else cookies.set(name, value)
      }
    },
  }
}

export type Started = Readonly<{ location: URL; state: string; nonce: string; jar: CookieJar }>

/** Starts a flow, as a browser or a program with a cookie jar. */
export async function startFlow(
  service: Pick<Service, 'call'>,
  { redirectTo, jar = cookieJar() }: Readonly<{ redirectTo?: string; jar?: CookieJar }> = {},
): Promise<Started> {
  const query = redirectTo === undefined ? '' : `?${new URLSearchParams({ redirectTo }).toString()}`
  const answer = await service.call(`GET /auth/google/start${query}`, { headers: jar.header() })
  assert.equal(answer.status, 302, answer.text)
  jar.take(answer)
  const location = new URL(answer.headers.get('location') ?? '')
  const parameter = (name: string) => location.searchParams.get(name) ?? ''
  return { location, state: parameter('state'), nonce: parameter('nonce'), jar }
}

/** Calls the callback with these parameters. */
export async function comeBack(
  service: Pick<Service, 'call'>,
  jar: CookieJar,
  parameters: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const query = new URLSearchParams(parameters).toString()
  const answer = await service.call(`GET /auth/google/callback?${query}`, {
    headers: { ...jar.header(), ...headers },
  })
  jar.take(answer)
  return answer
}

/** A complete redirect flow; `claims` override those of the ID token. */
export async function redirectFlow(service: GoogleService, claims: Record<string, unknown> = {}): Promise<Answer> {
  const { state, nonce, jar } = await startFlow(service)
  service.issuer.idToken = service.issuer.sign(service.issuer.claims({ nonce, ...claims }))
  return comeBack(service, jar, { code: `code-${state}`, state })
}

/** Signs in by One Tap; `claims` override those of the ID token. */
export function oneTap(service: GoogleService, claims: Record<string, unknown> = {}): Promise<Answer> {
  return useCredential(service, service.issuer.sign(service.issuer.claims(claims)))
}

export function useCredential(service: Pick<Service, 'call'>, credential: string): Promise<Answer> {
  return service.call('POST /auth/google/onetap', { body: { credential } })
}
