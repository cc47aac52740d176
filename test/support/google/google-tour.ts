/** A sign-in with Google and its failures; every answer is checked against openapi.json. */
import assert from 'node:assert/strict'
import type { Answer, Call } from '../http/call.ts'
import { startFlow } from './google.ts'
import type { GoogleService } from './google.ts'

/** @param ask calls the service and checks the answer */
export async function signInWithGoogle(
  service: GoogleService,
  ask: (route: string, call?: Call) => Promise<Answer>,
): Promise<void> {
  const { issuer } = service
  async function askFor(code: string | number, route: string, call: Call = {}): Promise<any> {
    const answer = await ask(route, call)
    assert.equal(answer.body?.error?.code ?? answer.status, code, `${route}: ${answer.text}`)
    return answer.body
  }
  const redirectTo = 'https://evil.example/'
  const credential = (claims = {}) => ({ body: { credential: issuer.sign(issuer.claims(claims)) } })
  await askFor('REDIRECT_NOT_ALLOWED', `GET /auth/google/start?redirectTo=${redirectTo}`)
  await askFor('VALIDATION_FAILED', `GET /auth/google/start?redirectTo=${'x'.repeat(3000)}`)
  const callback = async (parameters: Record<string, string>, target?: string, claims = {}) => {
    const { state, nonce, jar } = await startFlow(service, target === undefined ? {} : { redirectTo: target })
    issuer.idToken = issuer.sign(issuer.claims({ nonce, ...claims }))
    const query = new URLSearchParams({ state, ...parameters }).toString()
    const headers = { ...jar.header(), ...(target === undefined ? {} : { accept: 'text/html' }) }
    return ask(`GET /auth/google/callback?${query}`, { headers })
  }
  await askFor('OAUTH_STATE_INVALID', 'GET /auth/google/callback?code=x&state=forged')
  for (const [code, answer] of Object.entries({
    OAUTH_DENIED: await callback({ error: 'access_denied' }),
    VALIDATION_FAILED: await callback({}),
    GOOGLE_CREDENTIAL_INVALID: await callback({ code: 'x' }, undefined, { nonce: 'another' }),
    EMAIL_NOT_VERIFIED: await callback({ code: 'x' }, undefined, { email_verified: false }),
    200: await callback({ code: 'x' }),
    302: await callback({ code: 'x' }, `${service.origin}/back`),
  })) {
    assert.equal(String(answer.body?.error?.code ?? answer.status), code, answer.text)
  }

  await askFor('EMAIL_NOT_VERIFIED', 'POST /auth/google/onetap', credential({ email_verified: false }))
  const signedIn = await askFor(200, 'POST /auth/google/onetap', credential({ email: 'tour@gmail.com', sub: '7' }))
  const mine = { token: signedIn.token }
  const connection = 'POST /auth/google/connection'
  await askFor('GOOGLE_ALREADY_CONNECTED', connection, { ...mine, ...credential() })
  await askFor('EMAIL_NOT_VERIFIED', connection, { ...mine, ...credential({ email_verified: 0 }) })
  await askFor(200, 'GET /auth/google/connection', mine)
  await askFor(200, 'DELETE /auth/google/connection', mine)
  await askFor(200, connection, { ...mine, ...credential({ sub: '7' }) })
  const program = { token: (await service.signUp('tour-program@example.com')).token }
  await askFor('SIGN_IN_REQUIRED', connection, { ...program, ...credential() })
  await askFor('SIGN_IN_REQUIRED', 'DELETE /auth/google/connection', program)
}
