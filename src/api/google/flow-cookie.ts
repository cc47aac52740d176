/** The state of a browser's started Google sign-ins, in encrypted cookies. The server stores none of it. */
import { hkdfSync } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Config } from '../../config/settings.ts'
import type { Deps } from '../../http/deps.ts'
import { keyIdOfSecret } from '../../lib/hash.ts'

export const FLOW_LIFETIME_SECONDS = 600
/** Concurrent sign-ins per browser. Without a limit, the Cookie header would outgrow what servers accept. */
const MAX_FLOWS = 3

/** Cookies with our prefix may come from elsewhere, with names that cannot be written into `Set-Cookie`. */
const OWN_NAME = /^[\w-]{1,64}$/

const FlowState = Type.Object({
  state: Type.String(),
  nonce: Type.String(),
  codeVerifier: Type.String(),
  redirectTo: Type.Union([Type.String(), Type.Null()]),
  exp: Type.Number(),
})
const isFlowState = Compile(FlowState)

export type Flow = Static<typeof FlowState> & Readonly<{ cookie: string }>

export type FlowCookies = Readonly<{
  /** The request's flows that have not expired, newest first. */
  read(request: FastifyRequest): Promise<Flow[]>
  /** Sets the cookie of a new flow; clears the oldest if there are too many. */
  add(request: FastifyRequest, reply: FastifyReply, flow: Omit<Static<typeof FlowState>, 'exp'>): Promise<void>
  clear(reply: FastifyReply, cookie: string): void
  /** Clears the cookies of all flows, unreadable ones included. */
  clearAll(request: FastifyRequest, reply: FastifyReply): void
}>

/** The encryption keys are derived from the signing secrets and rotate with them. */
export function createFlowCookies({ config, clock, random }: Pick<Deps, 'config' | 'clock' | 'random'>): FlowCookies {
  const isSecure = config.publicUrl.startsWith('https:')
  // `__Host-`: no other host of the domain can plant a flow that a visitor then finishes.
  const prefix = `${isSecure ? '__Host-' : ''}google-flow-`
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const
  const keys = keysOf(config)
  const [signing = ''] = keys.keys()

  const namesIn = (request: FastifyRequest): [string, string][] =>
    Object.entries(parseCookie(request.headers.cookie ?? '')).flatMap(([name, value]) =>
      name.startsWith(prefix) && OWN_NAME.test(name) && value !== undefined ? [[name, value]] : [],
    )

  async function decrypt(cookie: string, value: string): Promise<Flow[]> {
    const { jwtDecrypt } = await import('jose')
    try {
      const { payload } = await jwtDecrypt(value, ({ kid = '' }) => keys.get(kid) ?? new Uint8Array(), {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        currentDate: new Date(clock.now()),
      })
      return isFlowState.Check(payload) ? [{ ...payload, cookie }] : []
    } catch {
      return []
    }
  }

  async function read(request: FastifyRequest): Promise<Flow[]> {
    const flows = await Promise.all(namesIn(request).map(([name, value]) => decrypt(name, value)))
    return flows.flat().toSorted((one, other) => other.exp - one.exp)
  }

  function write(reply: FastifyReply, name: string, value: string, maxAge: number): void {
    reply.header('set-cookie', stringifySetCookie({ name, value, maxAge, ...attributes }))
  }
  const clear = (reply: FastifyReply, cookie: string): void => write(reply, cookie, '', 0)

  return {
    read,
    clear,
    clearAll(request, reply) {
      for (const [name] of namesIn(request)) clear(reply, name)
    },
    async add(request, reply, flow) {
      const kept = (await read(request)).slice(0, MAX_FLOWS - 1)
      for (const [name] of namesIn(request)) {
        if (!kept.some(({ cookie }) => cookie === name)) clear(reply, name)
      }
      const { EncryptJWT } = await import('jose')
      const value = await new EncryptJWT(flow)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: signing })
        .setExpirationTime(Math.floor(clock.now() / 1000) + FLOW_LIFETIME_SECONDS)
        .encrypt(keys.get(signing) ?? new Uint8Array())
      write(reply, `${prefix}${random.bytes(9).toString('base64url')}`, value, FLOW_LIFETIME_SECONDS)
    },
  }
}

/** HKDF keys (RFC 5869) by the `kid` of their secret; the first one encrypts. */
function keysOf({ jwtSecret, jwtSecretVerify }: Config): Map<string, Uint8Array> {
  return new Map(
    [jwtSecret, ...jwtSecretVerify].map((secret) => [
      keyIdOfSecret(secret),
      new Uint8Array(hkdfSync('sha256', secret, '', 'google flow cookie', 32)),
    ]),
  )
}
