/** An account that somebody else made with an address, whose holder has not signed in yet. */
import assert from 'node:assert/strict'
import { assertError } from '../http/answers.ts'
import { buttonIn, pauseMail, press, signInMail } from '../mail/buttons.ts'
import type { Service } from '../service.ts'

/**
 * Signs up with somebody else's address; its holder answers mails with both buttons and is paused
 * again, and strangers fail in every way.
 * @returns the token of whoever signed up
 */
export async function squat(service: Service, email: string): Promise<string> {
  const { token } = await service.signUp(email)
  await pauseMail(service, email)
  const { mail } = await signInMail(service, email)
  assert.equal((await press(service, 'resume-mail', buttonIn(mail, 'resume-mail'))).status, 200)
  await pauseMail(service, email)
  assertError(await service.call('POST /auth/api/signup', { body: { email } }), 'EMAIL_TAKEN')
  const failure = { who: { by: 'email', value: email }, client: '203.0.113.9' } as const
  service.deps.failureLog.note({ ...failure, type: 'sign_in_refused' })
  service.deps.failureLog.note({ ...failure, type: 'limit_hit', detail: 'request-address' })
  await service.deps.failureLog.flush()
  return token
}
