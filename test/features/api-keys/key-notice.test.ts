/** The owner is mailed every new key, new secret and leak, with key names of any writing shown safely; a stranger's address never is. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { recordEvent } from '../../../src/accounts/events.ts'
import { inTransaction } from '../../../src/db/db.ts'
import { tellOwner } from '../../../src/features/api-keys/key-notice.ts'
import { escapeHtml } from '../../../src/mail/templates.ts'
import { buttonIn, countMailsTo } from '../../support/buttons.ts'
import { withFailingWrite } from '../../support/faults.ts'
import { createKey, rotateKey, tokenOf } from '../../support/keys.ts'
import { mailedToken, verify } from '../../support/links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { linkIn } from '../../support/smtp.ts'
import { userOf } from '../../support/state.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const minute = () => new Date(service.clock.now()).toISOString().slice(0, 16).replace('T', ' ')

test('a new key is told with its name, its keyId, when, and from where, and never its secret', async () => {
  const token = await service.signIn('ana@example.com')
  const key = await createKey(service, token, { name: 'Billing server' })
  const mail = await service.smtp.mailTo('ana@example.com', 5000, 'was made')
  const { message, raw, to } = mail
  assert.deepEqual(to, ['ana@example.com'])
  assert.equal(message.subject, 'Your API keys')
  const line = `On ${minute()} UTC the API key “\u2068Billing server\u2069” (${key.apiKey.keyId}) was made from 127.0.0.1.`
  for (const part of [message.text, message.html]) assert.ok(part?.includes(line), String(part))
  assert.equal(linkIn(mail).href, service.deps.config.appUrl.href)
  assert.match(buttonIn(mail, 'not-me'), /^[\w-]{43}$/)
  assert.ok(!raw.includes(key.keySecret) && !message.text?.includes(key.keySecret))
})

test('a new secret is told, also when a key’s own token made it', async () => {
  const token = await service.signIn('bob@example.com')
  const key = await createKey(service, token)
  const ofKey = await tokenOf(service, key)
  await countMailsTo(service, 'bob@example.com')
  service.clock.advance(1000)
  const { keySecret } = await rotateKey(service, ofKey, key)
  const { message } = await service.smtp.mailTo('bob@example.com', 5000, 'got a new secret')
  const { text = '' } = message
  assert.ok(text.includes(`(${key.apiKey.keyId}) got a new secret, from 127.0.0.1.`))
  assert.ok(!text.includes('was made'), 'what an earlier mail told is not told again')
  assert.ok(!text.includes(keySecret))
})

test('an owner who signs in in Romanian is told in Romanian', async () => {
  const email = 'cia@example.com'
  const headers = { 'accept-language': 'ro' }
  const { body } = await verify(service, await mailedToken(service, email), { headers })
  const key = await createKey(service, body.token, { name: 'Facturi' })
  const { message } = await service.smtp.mailTo(email, 5000, 'Facturi')
  assert.equal(message.subject, 'Cheile tale API')
  const line = `La ${minute()} UTC a fost creată cheia API “\u2068Facturi\u2069” (${key.apiKey.keyId}), de la 127.0.0.1.`
  assert.ok(message.text?.includes(line), String(message.text))
  assert.ok(message.html?.includes('lang="ro"'))
  service.clock.advance(1000)
  await rotateKey(service, body.token, key)
  await service.smtp.mailTo(email, 5000, 'a primit un secret nou, de la 127.0.0.1.')
})

const names = {
  markup: '<script>alert(1)<script><a href="evil">x<a>',
  'quotes and entities': `"'&amp;&lt;b&gt; \` $& $1 %s {{name}} \${1}`,
  'a tag and a comment': '<p><body><!-- ]]>',
  'right-to-left writing': 'מפתח \u05be سِرّ 12',
  'marks of direction': '\u200fkey\u200e \u061cabc',
  'a joined emoji': '👩‍👩‍👧‍👦 🏳️‍🌈 🇷🇴',
  'a hundred emoji': '💸'.repeat(100),
  'combining marks': `Z${'\u0301'.repeat(99)}`,
  'lines that a mail server could take for its own': '. QUIT =0D=0A.=0D=0A =?utf-8?B?eA==?=',
  'blanks that are kept': ' \u00a0a\u3000b  c ',
  'ligatures that are not normalized': 'ﬁ Å å e\u0301',
} as const

for (const [index, [what, name]] of Object.entries(names).entries()) {
  test(`a name with ${what} arrives intact as text, and as nothing but text in the HTML`, async () => {
    const email = `name-${index}@example.com`
    const key = await createKey(service, await service.signIn(email), { name })
    const { message, to } = await service.smtp.mailTo(email, 5000, 'was made')
    assert.deepEqual(to, [email])
    const { text = '', html = '', subject } = message
    assert.ok(text.includes(`“\u2068${name}\u2069” (${key.apiKey.keyId})`), text)
    assert.ok(html.includes(`“\u2068${escapeHtml(name)}\u2069” (${key.apiKey.keyId})`), html)
    assert.equal(subject, 'Your API keys')
    const tags = html.match(/<[^>]*>/g)?.map((tag) => tag.replace(/[ >].*/s, ''))
    const usual = new Set(['<!doctype', '<html', '<meta', '<title', '</title', '<body', '<p', '</p', '<a', '</a', '</body', '</html'])
    assert.deepEqual(tags?.filter((tag) => !usual.has(tag)), [])
    assert.ok(!html.includes('href="evil"'))
  })
}

/** The mails about new keys of these names, as one text, and how each name would stand in it. */
async function mailsAbout(email: string, keyNames: readonly string[]) {
  const token = await service.signIn(email)
  const keys = []
  for (const name of keyNames) keys.push({ name, keyId: (await createKey(service, token, { name })).apiKey.keyId })
  await countMailsTo(service, email)
  const mails = service.smtp.mails.filter(({ to }) => to.includes(email))
  return { keys, text: mails.map(({ message }) => `${message.text}${message.html}`).join('') }
}

const likeAddresses = [
  'Locked: https://evil.example',
  'www.evil.example',
  'evil.example/login',
  'a@evil.example',
  'javascript://x',
  'еvil.рф',
  'दुष्ट.भारत',
  'Sign in at evil。com',
  'evil．com or evil｡com',
  'evil․com',
  'evil.\u200Bcom',
  'ev\u00ADil.\u2060c\u2060o\u2060m',
  'evil.\uFE0Fcom',
  'evil／x',
  'a＠evil',
  '185.1.2.3/login',
  '185.10.2.3',
  'Call +1 800 555 0100',
  '(0800) 55-50',
  '08\u00A00\u20115\u200B5\u20125',
  'Ring ٠١٢٣٤٥',
  '⓪⑧⓪⓪ ⑤⑤',
  '1️⃣8️⃣0️⃣0️⃣ 5️⃣5️⃣',
]

test('a name that could be a link or be called is not in the mail: the key is told by its keyId', async () => {
  const { keys, text } = await mailsAbout('links@example.com', likeAddresses)
  for (const { name, keyId } of keys) {
    assert.ok(text.includes(`the API key ${keyId} was made`), JSON.stringify(name))
    assert.equal(text.includes(name) || text.includes(escapeHtml(name)), false, JSON.stringify(name))
  }
})

const likeNames = [
  'Billing server no. 5',
  'v2.1',
  'Prod. Rates 1.5 and 2.5',
  'Key 12345',
  'Room 12-34 (5)',
  'Shop … the second',
  'C++: a_b #1, “x”; 100 %',
  'مفتاح ١٢٣',
  'सर्वर।',
  '鍵。',
  'Café 🏳️‍🌈 👩‍👩‍👧‍👦 1️⃣2️⃣',
]

test('a name that is only a name is shown, in any writing', async () => {
  const { keys, text } = await mailsAbout('shown@example.com', likeNames)
  for (const { name, keyId } of keys) {
    assert.ok(text.includes(`the API key “\u2068${name}\u2069” (${keyId}) was made`), JSON.stringify(name))
  }
})

test('a notice that waits tells since its oldest event and is tried as long as its newest', async () => {
  const email = 'outage@example.com'
  await service.signIn(email)
  const user = await userOf(service.db, email)
  const { deps, clock, db } = service
  const queued = () => db.selectFrom('queued_mails').selectAll().where('email', '=', email).executeTakeFirst()
  const firstMs = clock.now()
  await inTransaction(db, (trx) => tellOwner(deps, trx, user, firstMs))
  clock.advance(59 * 60_000)
  const row = await inTransaction(db, async (trx) => {
    await tellOwner(deps, trx, user, firstMs)
    await tellOwner(deps, trx, user, clock.now())
    return trx.selectFrom('queued_mails').selectAll().where('email', '=', email).executeTakeFirst()
  })
  assert.equal(row?.tells_since_ms, firstMs)
  assert.equal(row?.created_at_ms, clock.now())
  // There is nothing to tell: it goes without a mail.
  deps.mailer.wake()
  while (await queued()) await new Promise((resolve) => setTimeout(resolve, 5))
})

test('what would turn the words around it is no name of a key: nobody is mailed it', async () => {
  const token = await service.signIn('dan@example.com')
  const earlier = await countMailsTo(service, 'dan@example.com')
  for (const name of ['\u202eyek', 'a\u2069b', '\u2066x', 'a\r\nBcc: eva@example.com', '\u2028x', '\ud83d', '💸'.repeat(101)]) {
    const answer = await service.call('POST /auth/api-keys', { token, body: { name } })
    assert.equal(answer.status, 400, JSON.stringify(name))
  }
  assert.equal(await countMailsTo(service, 'dan@example.com'), earlier)
  assert.equal(await countMailsTo(service, 'eva@example.com'), 0)
})

test('an address that nobody has proven is told of no key: its mail would be a stranger’s words', async () => {
  const signup = await service.signUp('fay@example.com')
  const key = await createKey(service, signup.token, { name: 'You won: evil.example' })
  await rotateKey(service, signup.token, key)
  assert.equal(await countMailsTo(service, 'fay@example.com'), 1, 'the notice of the signup')
  assert.ok(!service.smtp.mails.some(({ raw, message }) => `${raw}${message.text}`.includes('You won')))
})

test('a key that was not made is not told: the mail is queued in its transaction', async () => {
  const token = await service.signIn('gil@example.com')
  const earlier = await countMailsTo(service, 'gil@example.com')
  let failures = 0
  while (failures < 20) {
    const create = () => service.call('POST /auth/api-keys', { token, body: { name: `Try ${failures}` } })
    if ((await withFailingWrite(service.db, failures + 1, create)).status === 201) break
    failures += 1
    assert.equal(await countMailsTo(service, 'gil@example.com'), earlier)
  }
  assert.ok(failures >= 3, 'the key, the event and the mail')
  const { message } = await service.smtp.mailTo('gil@example.com', 5000, 'was made')
  assert.ok(message.text?.includes(`Try ${failures}`))
  assert.equal(message.text?.match(/was made/g)?.length, 1)
})

test('changes at once are one mail that tells each, in their order', async () => {
  const email = 'hal@example.com'
  const token = await service.signIn(email)
  const keys = [await createKey(service, token, { name: 'One' }), await createKey(service, token, { name: 'Two' })]
  const earlier = await countMailsTo(service, email)
  service.clock.advance(1000)
  const user = await userOf(service.db, email)
  const { deps, clock } = service
  const source = { ip: '203.0.113.9', caller: null }
  await inTransaction(service.db, async (trx) => {
    for (const { apiKey } of [...keys, ...keys]) {
      await recordEvent(trx, deps, { userId: user.id, type: 'key_rotated', apiKeyId: apiKey.id }, source)
      await tellOwner(deps, trx, user, clock.now())
    }
  })
  service.deps.mailer.wake()
  const { message } = await service.smtp.mailTo(email, 5000, 'got a new secret')
  const told = [...(message.text ?? '').matchAll(/\u2068(\w+)\u2069.*got a new secret/g)].map(([, name]) => name)
  assert.deepEqual(told, ['One', 'Two', 'One', 'Two'])
  assert.equal(await countMailsTo(service, email), earlier + 1)
})
