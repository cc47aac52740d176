/** Bodies that every endpoint refuses: JSON that is not an object, and text that is not JSON. */
import { assertError } from './answers.ts'
import type { Call, Service } from '../service.ts'

/** Asserts that each is refused with a message that says why. */
export async function assertOnlyObjects(service: Service, route: string, call: Call = {}): Promise<void> {
  const notObjects = ['null', '[]', '[[]]', '[{}]', '"text"', '1', 'true']
  for (const body of notObjects) {
    const answer = await service.call(route, { ...call, body })
    assertError(answer, 'VALIDATION_FAILED', /^The body must be a JSON object(, not an? [a-z]+)?\.$/)
  }
  const polluting = ['{"__proto__":{}}', '{"constructor":{"prototype":{}}}']
  for (const body of ['{', '{"a":1}}', "{'a':1}", '{"a":NaN}']) {
    const answer = await service.call(route, { ...call, body })
    assertError(answer, 'VALIDATION_FAILED', 'The request body is not valid JSON.')
  }
  for (const body of polluting) {
    const answer = await service.call(route, { ...call, body })
    assertError(answer, 'VALIDATION_FAILED', /^The request body must not have a field `__proto__`/)
  }
  const form = { ...call.headers, 'content-type': 'application/x-www-form-urlencoded' }
  const posted = await service.call(route, { ...call, body: 'a=1', headers: form })
  assertError(posted, 'UNSUPPORTED_MEDIA_TYPE')
}
