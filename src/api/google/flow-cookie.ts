/** The state of sign-ins that this browser has begun, in encrypted cookies: nothing of it is stored here. */
import { hkdfSync } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Config } from '../../config/settings.ts'
import type { Deps } from '../../http/deps.ts'
import { keyIdOfSecret } from '../../lib/hash.ts'

/** How long a sign-in may take, in seconds. */
export const FLOW_LIFETIME_SECONDS = 600
/** How many can be under way in one browser: without a bound, its requests would outgrow what servers take. */
const MOST_FLOWS = 3

/** What a browser may send under our prefix and is not ours could not be written back. */
const OWN_NAME = /^[\w-]{1,64}$/

const FlowState = Type.Object({
  state: Type.String(),
  nonce: Type.String(),
  codeVerifier: Type.String(),
  redirectTo: Type.Union([Type.String(), Type.Null()]),
  exp: Type.Number(),
})
const isFlowState = Compile(FlowState)

/** A sign-in that this browser has begun. */
export type Flow = Static<typeof FlowState> & Readonly<{ cookie: string }>

/** Reads and writes the cookies. */
export type FlowCookies = Readonly<{
  /** The flows that the request's cookies hold, and are not over, the newest first. */
  read(request: FastifyRequest): Promise<Flow[]>
  /** Adds a flow to the answer's cookies; the oldest goes where there are too many. */
  add(request: FastifyRequest, reply: FastifyReply, flow: Omit<Static<typeof FlowState>, 'exp'>): Promise<void>
  /** Takes a flow out of the browser. */
  clear(reply: FastifyReply, cookie: string): void
  /** Takes every cookie of a flow out of the browser, also one that cannot be read. */
  clearAll(request: FastifyRequest, reply: FastifyReply): void
}>

/** Makes the reader and writer; the keys come from the signing secrets, so they rotate with them. */
export function createFlowCookies({ config, clock, random }: Pick<Deps, 'config' | 'clock' | 'random'>): FlowCookies {
  const isSecure = config.publicUrl.startsWith('https:')
  // `__Host-`: no other host of the domain can plant a flow here and have its visitor finish it.
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
      const kept = (await read(request)).slice(0, MOST_FLOWS - 1)
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

/** By the `kid` of the secret that each comes from (RFC 5869); the first one encrypts. */
function keysOf({ jwtSecret, jwtSecretVerify }: Config): Map<string, Uint8Array> {
  return new Map(
    [jwtSecret, ...jwtSecretVerify].map((secret) => [
      keyIdOfSecret(secret),
      new Uint8Array(hkdfSync('sha256', secret, '', 'google flow cookie', 32)),
    ]),
  )
}
