import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeAddress } from '../../support/accounts/address-changes.ts'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { agents } from '../../support/accounts/sessions.ts'
import { assertNothingHappens, recipientsOf } from '../../support/database/state.ts'
import { linkIn } from '../../support/mail/smtp.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const ROUTE = 'POST /auth/links/not-me/inspect'
const DAY_MS = 24 * 3600 * 1000
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

/** The tokens of the link and of the "not me" button of the last sign-in mail to an address. */
async function mailTo(email: string) {
  await service.call('POST /auth/request', { body: { email } })
  await recipientsOf(service)
  const mail = service.smtp.mails.findLast(({ to }) => to.includes(email))!
  return {
    link: linkIn(mail, '/auth/verify').searchParams.get('token')!,
    button: new URLSearchParams(linkIn(mail, '/not-me').hash.slice(1)).get('token')!,
  }
}

const inspect = (token: string) => service.call(ROUTE, { body: { token } })

test('shows the mail and the sign-in made with its link on every call, and changes nothing', async () => {
  const { link, button } = await mailTo('ana@example.com')
  const mailedAt = new Date(service.clock.now()).toISOString()
  const unused = await assertNothingHappens(service, () => inspect(button))
  assertUncacheable(unused)
  const usual = { email: 'a***@example.com', mailKind: 'sign_in', mailedAt, usedAt: null }
  assert.deepEqual(unused.body, { ...usual, signIn: null })

  service.clock.advance(1000)
  const createdAt = new Date(service.clock.now()).toISOString()
  const headers = { 'user-agent': agents['Chrome on Windows'] }
  assert.equal((await service.call(`GET /auth/verify?token=${link}`, { headers })).status, 200)
  const used = await assertNothingHappens(service, () => inspect(button))
  const signIn = {
    method: 'magic_link',
    createdAt,
    browser: 'Chrome',
    system: 'Windows',
    network: '127.0.0.0/24',
  }
  assert.deepEqual(used.body, { ...usual, signIn })

  await service.call('POST /auth/links/not-me', { body: { token: button } })
  assert.equal((await inspect(button)).body.usedAt, createdAt)
})

test('shows the sign-in also to the former address of a changed account', async () => {
  const [from, to] = ['amy@example.com', 'amy-2@example.com']
  const { link, button } = await mailTo(from)
  const { token } = (await service.call(`GET /auth/verify?token=${link}`)).body
  const { signIn } = (await inspect(button)).body
  assert.equal(signIn.method, 'magic_link')
  await changeAddress(service, token, { from, to })
  assert.deepEqual((await inspect(button)).body.signIn, signIn)
})

test('a link’s token, an unknown and an expired one get the same answer', async () => {
  const { link, button } = await mailTo('bob@example.com')
  for (const token of [link, 'unknown']) assertError(await inspect(token), 'LINK_INVALID')
  service.clock.advance(7 * DAY_MS)
  assertError(await inspect(button), 'LINK_INVALID')
})
