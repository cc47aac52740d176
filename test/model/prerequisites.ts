/** Creates what a valid request needs when it is sent: live links, buttons, keys and sign-ins. */
import { after } from 'node:test'
import { ask, startApp } from '../support/accounts/apps.ts'
import { buttonIn, pressNotMe, signInMail } from '../support/mail/buttons.ts'
import { askForChange, changeAddress } from '../support/accounts/address-changes.ts'
import { introspectingKey } from '../support/accounts/introspecting-key.ts'
import { createKey, tokenOf } from '../support/accounts/keys.ts'
import { postOf } from '../support/http/oauth.ts'
import { oneTap, startFlow } from '../support/google/google.ts'
import type { GoogleService } from '../support/google/google.ts'
import { mailedToken } from '../support/mail/links.ts'
import type { Service } from '../support/service.ts'
import type { MadeRequest } from './requests.ts'

/** Fields that replace generated ones in the body, query or header, or the token; `null` removes the field. */
type Needed = Readonly<{
  token?: string
  body?: object
  query?: Readonly<Record<string, string | null>>
  headers?: Readonly<Record<string, string>>
}>

let addresses = 0
const newAddress = (): string => `needed-${++addresses}@example.com`

/** Signs in without a mail. */
export async function signInWithGoogle(service: GoogleService, email: string): Promise<string> {
  const answer = await oneTap(service, { sub: email, email, hd: 'example.com' })
  if (answer.status !== 200) throw new Error(`not signed in: ${answer.text}`)
  return answer.body.token
}

async function resumeToken(service: Service): Promise<string> {
  const email = newAddress()
  await pressNotMe(service, (await signInMail(service, email)).notMe)
  return buttonIn((await signInMail(service, email)).mail, 'resume-mail')
}

async function undoToken(service: GoogleService): Promise<string> {
  const from = newAddress()
  return (await changeAddress(service, await signInWithGoogle(service, from), { from, to: newAddress() })).undo
}

/** By operation: what must exist, or is used up, for a valid request to succeed. */
const needs: Readonly<Record<string, (service: GoogleService) => Promise<Needed>>> = {
  verifyLink: async (service) => ({ query: { token: await mailedToken(service, newAddress()) } }),
  inspectLink: async (service) => ({ body: { token: await mailedToken(service, newAddress()) } }),
  inspectButton: async (service) => ({ body: { token: (await signInMail(service, newAddress())).notMe } }),
  notMe: async (service) => ({ body: { token: (await signInMail(service, newAddress())).notMe } }),
  changeEmail: async () => ({ body: { email: newAddress() } }),
  async confirmEmail(service) {
    const token = await signInWithGoogle(service, newAddress())
    return { token, body: { token: await askForChange(service, token, newAddress()) } }
  },
  undoEmail: async (service) => ({ body: { token: await undoToken(service) } }),
  resumeMail: async (service) => ({ body: { token: await resumeToken(service) } }),
  signup: async () => ({ body: { email: newAddress() } }),
  async exchangeToken(service) {
    const { apiKey, keySecret } = await createKey(service, await signInWithGoogle(service, newAddress()))
    return { body: { keyId: apiKey.keyId, keySecret } }
  },
  async issueToken(service) {
    const key = await createKey(service, await signInWithGoogle(service, newAddress()))
    const grant = { grant_type: 'client_credentials', scope: undefined, resource: undefined }
    return { body: { ...grant, ...postOf(key) } }
  },
  introspectToken: async (service) => ({ body: postOf(await introspectingKey(service, newAddress())) }),
  async revokeToken(service) {
    const key = await createKey(service, await signInWithGoogle(service, newAddress()))
    return { body: { token: await tokenOf(service, key), ...postOf(key) } }
  },
  async decideAuthorization(service) {
    const token = await signInWithGoogle(service, newAddress())
    const { id } = await ask(service, token, await startApp({ after }))
    // What was drawn may leave nothing of what the app asks for.
    return { token, body: { requestId: id, restrictions: undefined } }
  },
  createPaymentLink: async () => ({ body: { expiresAt: '2099-01-01T00:00:00Z' } }),
  oneTap: async ({ issuer }) => ({ body: { credential: issuer.sign() } }),
  // Always the same account: a second one would be refused.
  connectGoogle: async ({ issuer }) => ({
    body: { credential: issuer.sign(issuer.claims({ sub: 'connected' })) },
  }),
  async googleCallback(service) {
    const { issuer } = service
    const { state, nonce, jar } = await startFlow(service)
    issuer.idToken = issuer.sign(issuer.claims({ nonce }))
    return { query: { code: 'code', state, iss: issuer.url, error: null }, headers: jar.header() }
  },
}

/** Operations that invalidate the calling token. */
const endsToken = new Set(['revokeTokens', 'signOut', 'deleteMe'])

/** Adds what a request needs. One that invalidates its token gets its own sign-in, so that later ones keep theirs. */
export async function withNeeds(
  service: GoogleService,
  operationId: string,
  request: MadeRequest,
): Promise<MadeRequest> {
  const { kind, isSignedIn, call } = request
  const isOver = isSignedIn && endsToken.has(operationId)
  const signedIn = isOver ? { ...call, token: await signInWithGoogle(service, newAddress()) } : call
  const { body, query, headers, token } = kind === 'valid' ? ((await needs[operationId]?.(service)) ?? {}) : {}
  return {
    ...request,
    route: query === undefined ? request.route : withQuery(request.route, query),
    call: {
      ...signedIn,
      ...(token && { token }),
      ...(body && { body: { ...(call.body as object), ...body } }),
      ...(headers && { headers }),
    },
  }
}

function withQuery(route: string, query: NonNullable<Needed['query']>): string {
  const [path = '', search = ''] = route.split('?')
  const fields = new URLSearchParams(search)
  for (const [name, value] of Object.entries(query)) {
    if (value === null) fields.delete(name)
    else fields.set(name, value)
  }
  return `${path}?${fields.toString()}`
}
