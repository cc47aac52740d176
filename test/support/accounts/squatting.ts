import assert from 'node:assert/strict'
import { assertError } from '../http/answers.ts'
import { buttonIn, pauseMail, press, signInMail } from '../mail/buttons.ts'
import type { Service } from '../service.ts'

/**
 * Signs up with an address the caller does not own. Its holder presses both buttons of the mails and is paused again;
 * strangers fail in every way.
 * @returns the token of the signup
 */
export async function signUpWithForeignAddress(service: Service, email: string): Promise<string> {
  const { token } = await service.signUp(email)
  await pauseMail(service, email)
  const { mail } = await signInMail(service, email)
  assert.equal((await press(service, 'resume-mail', buttonIn(mail, 'resume-mail'))).status, 200)
  await pauseMail(service, email)
  assertError(await service.call('POST /auth/api/signup', { body: { email } }), 'EMAIL_TAKEN')
  const failure = { who: { by: 'email', value: email }, client: '203.0.113.9', browser: null } as const
  service.deps.failureLog.note({ ...failure, type: 'sign_in_refused' })
  service.deps.failureLog.note({ ...failure, type: 'limit_hit', detail: 'request-address' })
  await service.deps.failureLog.flush()
  return token
}
