import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { buttonIn } from '../../support/mail/buttons.ts'
import { tick } from '../../support/clock.ts'
import { oneTap, startGoogleService, useCredential } from '../../support/google/google.ts'
import type { GoogleService } from '../../support/google/google.ts'
import { connect, disconnect } from '../../support/google/identities.ts'
import { flowingText } from '../../support/mail/smtp.ts'
import { recipientsOf } from '../../support/database/state.ts'

let service: GoogleService
before(async () => {
  service = await startGoogleService({ APP_URL: 'https://app.example/account' })
  // A reported event may have happened some milliseconds before its mail was queued.
  tick(service.clock)
})
after(() => service.close())

/** The mails to an address, without the first `earlier` mails of all. */
async function mailsTo(email: string, earlier = 0) {
  await recipientsOf(service)
  return service.smtp.mails.slice(earlier).filter(({ to }) => to.includes(email))
}

test('the notice names the Google account, the time and the network, and has one link and the not-me', async () => {
  const email = 'ana@example.com'
  const token = await service.signIn(email)
  await connect(service, token, { sub: 'ana', email: 'ana@third.example' })
  const mail = (await mailsTo(email)).at(-1)
  assert.ok(mail)
  const day = new Date(service.clock.now()).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  const text = flowingText(mail)
  assert.equal(mail.message.subject, 'Your sign-in with Google changed')
  assert.match(
    text,
    new RegExp(
      `On ${day} at \\d\\d:\\d\\d UTC the Google account ana@third\\.example was connected, from network 127\\.0\\.0\\.0/24\\. It can sign in`,
    ),
  )
  assert.match(text, /https:\/\/app\.example\/account/)
  assert.match(buttonIn(mail, 'not-me'), /^[\w-]{20,}$/)

  await disconnect(service, token)
  const [last] = (await mailsTo(email)).slice(-1)
  assert.ok(last)
  assert.match(
    flowingText(last),
    /the Google account ana@third\.example was disconnected, from network 127\.0\.0\.0\/24\. It can no longer sign in/,
  )
  for (const { message } of [mail, last]) assert.doesNotMatch(`${message.text}${message.html}`, /127\.0\.0\.1\b(?!:)/)
})

test('the notice is in the language of the owner’s last sign-in, even if that is the sign-in it reports', async () => {
  const email = 'bob@gmail.com'
  await service.signIn(email)
  const credential = service.issuer.sign(service.issuer.claims({ sub: 'bob', email }))
  const headers = { 'accept-language': 'ro' }
  const answer = await service.call('POST /auth/google/onetap', { headers, body: { credential } })
  const joined = (await mailsTo(email)).at(-1)
  assert.ok(joined)
  assert.equal(joined.message.subject, 'Autentificarea ta cu Google s-a schimbat')
  assert.match(flowingText(joined), /contul Google bob@gmail\.com a fost conectat, din rețeaua 127\.0\.0\.0\/24/)
  await disconnect(service, answer.body.token)
  assert.match((await mailsTo(email)).at(-1)?.message.html ?? '', /a fost deconectat/)
})

test('several changes in a row are all reported', async () => {
  const email = 'cia@example.com'
  const token = await service.signIn(email)
  await recipientsOf(service)
  const earlier = service.smtp.mails.length
  await connect(service, token, { sub: 'cia1', email: 'cia1@gmail.com' })
  await disconnect(service, token)
  await connect(service, token, { sub: 'cia2', email: 'cia2@gmail.com' })
  const texts = (await mailsTo(email, earlier)).map(flowingText).join('\n')
  const lines = texts.match(/the Google account \S+ was (connected|disconnected)/g)
  assert.deepEqual(
    new Set(lines),
    new Set([
      'the Google account cia1@gmail.com was connected',
      'the Google account cia1@gmail.com was disconnected',
      'the Google account cia2@gmail.com was connected',
    ]),
  )
})

test('an unproven address gets no notice of a connection, and a new account only the notice of a signup', async () => {
  await oneTap(service, { sub: 'dan', email: 'dan@gmail.com' })
  assert.deepEqual(await mailsTo('dan@gmail.com'), [])
  const email = 'eva@third.example'
  const { token } = (await oneTap(service, { sub: 'eva', email })).body
  const [notice, ...more] = await mailsTo(email)
  assert.deepEqual(more, [])
  assert.ok(notice)
  assert.equal(notice.message.subject, 'An account was created with your address')
  assert.match(
    flowingText(notice),
    /Somebody created an account with this e-mail address, by signing in with a Google account\. .* Network: 127\.0\.0\.0\/24/,
  )
  assert.doesNotMatch(flowingText(notice), /program|API key/)
  await disconnect(service, token)
  await connect(service, token, { sub: 'eva2', email: 'victim@third.example' })
  assert.equal((await mailsTo(email)).length, 1)
  assert.deepEqual(await mailsTo('victim@third.example'), [])
})

test('a known Google account that signs in again, also with another address, causes no mail', async () => {
  await oneTap(service, { sub: 'fay', email: 'fay@gmail.com' })
  const sent = await recipientsOf(service)
  const { issuer } = service
  await useCredential(service, issuer.sign(issuer.claims({ sub: 'fay', email: 'fay-new@gmail.com' })))
  assert.deepEqual(await recipientsOf(service), sent)
})
