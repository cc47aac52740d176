/** Whatever is sent to an operation of openapi.json, the answer is one that the document knows, and never a fault. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { assertError } from '../support/answers.ts'
import { assertDocumented, operations } from '../support/documented.ts'
import { createKey } from '../support/keys.ts'
import { startService } from '../support/service.ts'
import type { Answer, Service } from '../support/service.ts'
import { CASES, RUN } from './cases.ts'
import { requestsOf } from './requests.ts'
import type { Known, MadeRequest } from './requests.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

/** Somebody with keys; operations that end tokens spend one of these. */
async function somebody(name: string): Promise<Known> {
  const email = `${name}@example.com`
  const tokens = [await service.signIn(email)]
  const keys = [await createKey(service, tokens[0] ?? ''), await createKey(service, tokens[0] ?? '')]
  const ids = [...keys.map(({ apiKey }) => apiKey.id), 'unknown']
  return { tokens, ids, emails: [email, `${name}-new@example.com`] }
}

// What can be answered before an operation is reached is told once, for all of them.
const EVERYWHERE = new Set(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'HEADERS_TOO_LARGE'])

function assertRight({ route, kind }: MadeRequest, answer: Answer, isKnownPath: boolean): void {
  assert.ok(answer.status < 500, `${route}: ${answer.status} ${answer.text}`)
  const code = answer.body?.error?.code
  if (code !== undefined) assertError(answer, code)
  if (!isKnownPath || EVERYWHERE.has(code)) return
  assertDocumented(route, answer)
  if (kind === 'valid') assert.notEqual(code, 'PAYLOAD_TOO_LARGE')
}

for (const operation of operations) {
  test(`${operation.route}: valid, nearly valid and hostile requests are answered as documented`, async () => {
    const known = await somebody(operation.id.toLowerCase())
    const made = requestsOf(operation, known)
    const property = fc.asyncProperty(made, async (request) => {
      const answer = await service.call(request.route, request.call)
      const [path = ''] = request.route.split('?')
      const isKnownPath = path.split('/').length === operation.route.split('/').length
      assertRight(request, answer, isKnownPath)
    })
    await fc.assert(property, { numRuns: Math.ceil(CASES / operations.length), ...RUN })
  })
}
