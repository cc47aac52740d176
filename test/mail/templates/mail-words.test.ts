import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { formatTime, sayOrigin } from '../../../src/mail/templates/mail-words.ts'
import { startMailing, until } from '../../support/mail/mailing.ts'
import type { Mailing, ToQueue } from '../../support/mail/mailing.ts'
import { flowingText } from '../../support/mail/smtp.ts'

const HELD = 'held@example.com'
const REFUSED = 'refused@example.com'
let accept: (() => void) | undefined
let mailing: Mailing

before(async () => {
  let isRefused = false
  mailing = await startMailing({
    async beforeAnswer({ to: [to] }) {
      if (to === HELD && accept === undefined) return new Promise<void>((resolve) => (accept = resolve))
      if (to !== REFUSED || isRefused) return undefined
      isRefused = true
      return Object.assign(new Error('later'), { responseCode: 451 })
    },
  })
})
after(() => mailing.close())

const owner = { ip: '203.0.113.77', browser: 'Firefox on Linux' }
const stranger = { ip: '198.51.100.66', browser: 'Chrome on Windows' }
type Request = Pick<ToQueue, 'ip' | 'browser'>

/** What the mail to an address says about its requests. */
const saidIn = (text: string) => ({
  browser: /\nBrowser: (.*)/.exec(text)?.[1],
  network: /\nNetwork: (.*)/.exec(text)?.[1],
  isRepeated: /Asked for more than once/.test(text),
})
const unnamed = { browser: undefined, network: undefined, isRepeated: true }
const named = (network: string, browser?: string) => ({ browser, network, isRepeated: false })

const inTurn: readonly (readonly [string, Request[], object])[] = [
  ['one request', [owner], named('203.0.113.0/24', 'Firefox on Linux')],
  ['one request from IPv6', [{ ...owner, ip: '2001:db8:1:2::9' }], named('2001:db8:1::/48', 'Firefox on Linux')],
  ['one request of a program', [{ ip: owner.ip, browser: null }], named('203.0.113.0/24')],
  ['one request without a network', [{ ip: 'unknown', browser: null }], { ...named('x'), network: undefined }],
  ['the same twice', [owner, { ...owner, ip: '203.0.113.78' }], named('203.0.113.0/24', 'Firefox on Linux')],
  ['a stranger after the owner', [owner, stranger], unnamed],
  ['the owner after a stranger', [stranger, owner], unnamed],
  ['another browser in the same network', [owner, { ...stranger, ip: owner.ip }], unnamed],
  ['the same browser in another network', [owner, { ...owner, ip: stranger.ip }], unnamed],
  ['a program in the same network', [owner, { ip: owner.ip, browser: null }], unnamed],
  ['a browser after a program in the same network', [{ ip: owner.ip, browser: null }, owner], unnamed],
  ['the owner again after a stranger', [owner, stranger, owner, owner], unnamed],
]

test('a mail names browser and network of its requests only if all have the same', async () => {
  const emailOf = (index: number) => `asked${index}@example.com`
  for (const [index, [, requests]] of inTurn.entries()) {
    for (const request of requests) await mailing.enqueue({ email: emailOf(index), ...request })
  }
  mailing.queue.start()
  for (const [index, [what, requests, expected]] of inTurn.entries()) {
    const { message } = await mailing.smtp.mailTo(emailOf(index))
    assert.deepEqual(saidIn(message.text ?? ''), expected, what)
    const when = formatTime('en', mailing.clock.now())
    for (const part of [message.text, message.html]) assert.ok(part?.includes(when), what)
    for (const { ip = '' } of requests.filter((request) => request.ip !== 'unknown')) {
      assert.ok(!`${message.text}${message.html}`.includes(ip), `${what}: the full address`)
    }
    if (expected !== unnamed) continue
    assert.doesNotMatch(`${message.text}${message.html}`, /203\.0|198\.51|Firefox|Chrome/, what)
  }
  await until(async () => (await mailing.waiting()).length === 0)
})

test('a request during a delivery is named in the next mail alone', async () => {
  await mailing.enqueue({ email: HELD, ...stranger })
  mailing.queue.wake()
  await until(() => accept !== undefined)
  await mailing.enqueue({ email: HELD, ...owner })
  accept?.()
  const mails = [await mailing.smtp.mailTo(HELD), await mailing.smtp.mailTo(HELD)]
  assert.deepEqual(
    mails.map(({ message }) => saidIn(message.text ?? '')),
    [named('198.51.100.0/24', 'Chrome on Windows'), named('203.0.113.0/24', 'Firefox on Linux')],
  )
})

test('a request while an earlier attempt waits to be repeated is of the same mail', async () => {
  await mailing.enqueue({ email: REFUSED, ...stranger })
  mailing.queue.wake()
  await until(async () =>
    (await mailing.waiting()).some(({ attempts, leased_until_ms: lease }) => attempts > 0 && !lease),
  )
  await mailing.enqueue({ email: REFUSED, ...owner })
  mailing.queue.wake()
  const mails = [await mailing.smtp.mailTo(REFUSED), await mailing.smtp.mailTo(REFUSED)]
  assert.deepEqual(
    mails.map(({ message }) => saidIn(message.text ?? '')),
    [named('198.51.100.0/24', 'Chrome on Windows'), unnamed],
  )
})

test('a mail that an older version queued, or added a request to, names neither', async () => {
  const older = {
    'queued by it': sql`asked_at_ms = null`,
    'asked again by it': sql`created_at_ms = asked_at_ms + 1`,
    'asked again by it, then by us': sql`created_at_ms = asked_at_ms + 1`,
  }
  const alone = await startMailing()
  try {
    for (const [index, [what, change]] of Object.entries(older).entries()) {
      const email = `older${index}@example.com`
      await alone.enqueue({ email, ...owner })
      await sql`update queued_mails set ${change} where email = ${email}`.execute(alone.db.query)
      if (what.endsWith('by us')) await alone.enqueue({ email, ...owner })
    }
    alone.queue.start()
    for (const [index, what] of Object.keys(older).entries()) {
      const { message } = await alone.smtp.mailTo(`older${index}@example.com`)
      assert.deepEqual(saidIn(message.text ?? ''), { ...unnamed, isRepeated: index > 0 }, what)
    }
  } finally {
    await alone.close()
  }
})

test('the words are in the language of the mail', async () => {
  await mailing.enqueue({ email: 'ro@example.com', locale: 'ro', ...owner })
  mailing.queue.wake()
  const text = flowingText(await mailing.smtp.mailTo('ro@example.com'))
  const when = formatTime('ro', mailing.clock.now())
  assert.match(when, /^\d{1,2} [a-z]+ \d{4} la \d\d:\d\d UTC$/)
  assert.ok(text.includes(`Când: ${when} Browser: Firefox pe Linux Rețea: 203.0.113.0/24 `), text)
})

test('an event’s origin is its browser and wide network, if known', () => {
  const origins = {
    'from Safari on iOS, network 203.0.113.0/24': ['en', 'Safari on iOS', '203.0.113.9'],
    'from network 203.0.113.0/24': ['en', null, '203.0.113.9'],
    'from an unknown network': ['en', null, null],
    'din Safari pe iOS, rețeaua 203.0.113.0/24': ['ro', 'Safari on iOS', '203.0.113.9'],
    'dintr-o rețea necunoscută': ['ro', null, 'unknown'],
  } as const
  for (const [said, [language, browser, client]] of Object.entries(origins))
    assert.equal(sayOrigin(language, { browser, client }), said)
})
