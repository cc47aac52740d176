/** Whatever is sent to an operation of openapi.json, the answer is one that the document knows: valid requests are taken, and none is a fault. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { assertError } from '../support/http/answers.ts'
import { assertDocumented, operations } from '../support/documented.ts'
import { createKey } from '../support/accounts/keys.ts'
import { createLink, holdRates } from '../support/accounts/payment-links.ts'
import { startGoogleService } from '../support/google/google.ts'
import type { GoogleService } from '../support/google/google.ts'
import type { Answer } from '../support/service.ts'
import { CASES, RUN } from './cases.ts'
import { withNeeds } from './needs.ts'
import { requestsOf } from './requests.ts'
import type { Known, MadeRequest } from './requests.ts'

let service: GoogleService
before(async () => {
  service = await startGoogleService()
  const date = new Date(service.clock.now()).toISOString().slice(0, 10)
  await holdRates(service.db, date, { EUR: '5', GBP: '6' })
})
after(() => service.close())

/** Somebody with keys, or with payment links where the path is about those. */
async function somebody(name: string, route: string): Promise<Known> {
  const email = `${name}@example.com`
  const tokens = [await service.signIn(email)]
  const keys = [await createKey(service, tokens[0] ?? ''), await createKey(service, tokens[0] ?? '')]
  const links = route.includes('/payment-links')
    ? [await createLink(service, tokens[0] ?? ''), await createLink(service, tokens[0] ?? '')]
    : []
  const ids = links.length > 0 ? links.map(({ id }) => id) : keys.map(({ apiKey }) => apiKey.id)
  return { tokens, ids, emails: [email, `${name}-new@example.com`], appUrl: service.origin }
}

// What can be answered before an operation is reached is told once, for all of them.
const EVERYWHERE = new Set(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'HEADERS_TOO_LARGE'])

/** The one good reason to refuse a valid request; the first of an operation's run has none. */
const FULL: Readonly<Record<string, string>> = { createKey: 'KEY_LIMIT_REACHED' }

function assertRight({ route }: MadeRequest, answer: Answer, isKnownPath: boolean): void {
  assert.ok(answer.status < 500, `${route}: ${answer.status} ${answer.text}`)
  const code = answer.body?.error?.code
  // What the parser of requests refuses has no request yet, so no id of one.
  if (code === 'HEADERS_TOO_LARGE') assert.equal(answer.status, 431)
  else if (code !== undefined) assertError(answer, code)
  if (!isKnownPath || EVERYWHERE.has(code)) return
  assertDocumented(route, answer)
}

for (const operation of operations) {
  test(`${operation.route}: valid requests are taken, others answered as documented`, async () => {
    const made = requestsOf(operation, await somebody(operation.id.toLowerCase(), operation.route))
    let taken = 0
    const property = fc.asyncProperty(made, async (drawn) => {
      const request = await withNeeds(service, operation.id, drawn)
      const answer = await service.call(request.route, request.call)
      const [path = ''] = request.route.split('?')
      const isKnownPath = path.split('/').length === operation.route.split('/').length
      assertRight(request, answer, isKnownPath)
      if (request.kind !== 'valid') return
      if (answer.status < 400) taken += 1
      else assert.equal(answer.body.error.code, FULL[operation.id], `${request.route}: ${answer.text}`)
    })
    const parameters = { numRuns: Math.max(60, Math.ceil(CASES / operations.length)), ...RUN }
    await fc.assert(property, parameters)
    assert.notEqual(taken, 0, 'no request was taken')
  })
}
