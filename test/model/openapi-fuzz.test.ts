/**
 * Random requests to every operation of openapi.json get documented answers: valid ones succeed, and none gets a 500.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { assertError } from '../support/http/answers.ts'
import { assertDocumented, codeIn, operations } from '../support/documented.ts'
import { appsOf, connect, startApp } from '../support/accounts/apps.ts'
import { createKey } from '../support/accounts/keys.ts'
import { createLink, holdRates } from '../support/accounts/payment-links.ts'
import { signInIdOf } from '../support/accounts/sessions.ts'
import { startGoogleService } from '../support/google/google.ts'
import type { GoogleService } from '../support/google/google.ts'
import type { Answer } from '../support/service.ts'
import { CASES, RUN } from './fuzz-settings.ts'
import { signInWithGoogle, withNeeds } from './prerequisites.ts'
import { asForm, requestsOf } from './requests.ts'
import type { Known, MadeRequest } from './requests.ts'

let service: GoogleService
before(async () => {
  service = await startGoogleService()
  const date = new Date(service.clock.now()).toISOString().slice(0, 10)
  await holdRates(service.db, date, { EUR: '5', GBP: '6' })
})
after(() => service.close())

/** A user, with the objects that the path needs: keys, payment links, apps or other sign-ins. */
async function newKnown(name: string, route: string): Promise<Known> {
  const email = `${name}@example.com`
  // An account with a Google account could not connect another.
  const signIn = () => (route.includes('/google/connection') ? service.signIn(email) : signInWithGoogle(service, email))
  const token = await signIn()
  const known = { tokens: [token], ids: ['unknown'], emails: [email], appUrl: service.origin }
  if (route.includes('/sessions/')) return { ...known, ids: [await signIn(), await signIn()].map(signInIdOf) }
  if (route.includes('/apps/')) {
    const app = await startApp({ after })
    for (let made = 0; made < 2; made += 1) await connect(service, token, app)
    return { ...known, ids: (await appsOf(service, token)).map(({ id }) => id) }
  }
  const emails = [email, `${name}-new@example.com`]
  if (route.includes('/payment-links')) {
    const links = [await createLink(service, token), await createLink(service, token)]
    return { ...known, ids: links.map(({ id }) => id), emails }
  }
  if (!/api-keys|export|oauth/.test(route)) return { ...known, emails }
  const keys = [await createKey(service, token), await createKey(service, token)]
  return { ...known, ids: keys.map(({ apiKey }) => apiKey.id), emails }
}

// Answers that do not depend on the operation are documented once for all.
const EVERYWHERE = new Set(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'HEADERS_TOO_LARGE'])

/** The only accepted refusal of a valid request; the first valid request of a run cannot get it. */
const EXPECTED_REFUSALS: Readonly<Record<string, string>> = { createKey: 'KEY_LIMIT_REACHED' }

function assertExpected({ route }: MadeRequest, answer: Answer, isKnownPath: boolean): void {
  assert.ok(answer.status < 500, `${route}: ${answer.status} ${answer.text}`)
  const code = codeIn(answer.body)
  // A request that the HTTP parser refuses has no request id.
  if (code === 'HEADERS_TOO_LARGE') assert.equal(answer.status, 431)
  else if (typeof answer.body?.error === 'object') assertError(answer, answer.body.error.code)
  if (!isKnownPath || EVERYWHERE.has(code ?? '')) return
  assertDocumented(route, answer)
}

for (const operation of operations) {
  test(`${operation.route}: valid requests succeed, others get documented errors`, async () => {
    const made = requestsOf(operation, await newKnown(operation.id.toLowerCase(), operation.route))
    let taken = 0
    const property = fc.asyncProperty(made, async (drawn) => {
      const request = await withNeeds(service, operation.id, drawn)
      const answer = await service.call(request.route, asForm(operation, request.call))
      const [path = ''] = request.route.split('?')
      const isKnownPath = path.split('/').length === operation.route.split('/').length
      assertExpected(request, answer, isKnownPath)
      if (request.kind !== 'valid') return
      if (answer.status < 400) taken += 1
      else assert.equal(codeIn(answer.body), EXPECTED_REFUSALS[operation.id], `${request.route}: ${answer.text}`)
    })
    const parameters = { numRuns: Math.max(24, Math.ceil(CASES / operations.length)), ...RUN }
    await fc.assert(property, parameters)
    assert.notEqual(taken, 0, 'no valid request succeeded')
  })
}
