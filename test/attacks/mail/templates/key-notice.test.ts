import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { escapeHtml } from '../../../../src/lib/text/html.ts'
import { countMailsTo } from '../../../support/mail/buttons.ts'
import { createKey } from '../../../support/accounts/keys.ts'
import { flowingText } from '../../../support/mail/smtp.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const names = {
  markup: '<script>alert(1)<script><a href="evil">x<a>',
  'quotes and entities': `"'&amp;&lt;b&gt; \` $& $1 %s {{name}} \${1}`,
  'a tag and a comment': '<p><body><!-- ]]>',
  'right-to-left text': 'מפתח \u05be سِرّ 12',
  'direction marks': '\u200fkey\u200e \u061cabc',
  'a joined emoji': '👩‍👩‍👧‍👦 🏳️‍🌈 🇷🇴',
  'a hundred emoji': '💸'.repeat(100),
  'combining marks': `Z${'\u0301'.repeat(4)}`,
  'SMTP and MIME syntax': '. QUIT =0D=0A.=0D=0A =?utf-8?B?eA==?=',
  'significant spaces': 'a\u3000b  c\u00a0d',
  'unnormalised ligatures': 'ﬁ Å å e\u0301',
} as const

for (const [index, [what, name]] of Object.entries(names).entries()) {
  test(`a name with ${what} arrives unchanged in the text and escaped in the HTML`, async () => {
    const email = `name-${index}@example.com`
    const key = await createKey(service, await service.signIn(email), { name })
    const { message, to } = await service.smtp.mailTo(email, 5000, key.apiKey.keyId)
    assert.deepEqual(to, [email])
    const { text = '', html = '', subject } = message
    const lines = text.split('\n')
    assert.ok(
      lines.some((line) => line.includes(`“\u2068${name}\u2069”`)),
      text,
    )
    assert.ok(
      lines.some((line) => line.includes(`(${key.apiKey.keyId})`)),
      text,
    )
    assert.ok(html.includes(`“\u2068${escapeHtml(name)}\u2069” (${key.apiKey.keyId})`), html)
    assert.equal(subject, 'Your API keys')
    const tags = html.match(/<[^>]*>/g)?.map((tag) => tag.replace(/[\s>].*/s, ''))
    const usual = new Set([
      '<!doctype',
      '<html',
      '<head',
      '</head',
      '<meta',
      '<title',
      '</title',
      '<style',
      '</style',
      '<body',
      '<div',
      '</div',
      '<table',
      '</table',
      '<tr',
      '</tr',
      '<td',
      '</td',
      '<h1',
      '</h1',
      '<br',
      '<span',
      '</span',
      '<p',
      '</p',
      '<a',
      '</a',
      '</body',
      '</html',
    ])
    assert.deepEqual(
      tags?.filter((tag) => !usual.has(tag)),
      [],
    )
    assert.ok(!html.includes('href="evil"'))
  })
}

/** The notices about new keys with these names, as one text. */
async function mailsAbout(email: string, keyNames: readonly string[]) {
  const token = await service.signIn(email)
  const keys = []
  for (const name of keyNames) keys.push({ name, keyId: (await createKey(service, token, { name })).apiKey.keyId })
  await countMailsTo(service, email)
  const mails = service.smtp.mails.filter(({ to }) => to.includes(email))
  return { keys, text: mails.map((mail) => `${flowingText(mail)}${mail.message.text}${mail.message.html}`).join('') }
}

const namesLikeLinks = [
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

test('a name that could be a link or a phone number is left out: the mail names the key by its keyId', async () => {
  const { keys, text } = await mailsAbout('links@example.com', namesLikeLinks)
  for (const { name, keyId } of keys) {
    assert.ok(text.includes(`the API key ${keyId} was created`), JSON.stringify(name))
    assert.equal(text.includes(name) || text.includes(escapeHtml(name)), false, JSON.stringify(name))
  }
})

const ordinaryNames = [
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

test('an ordinary name is shown, in any script', async () => {
  const { keys, text } = await mailsAbout('shown@example.com', ordinaryNames)
  for (const { name, keyId } of keys) {
    assert.ok(text.includes(`the API key “\u2068${name}\u2069” (${keyId}) was created`), JSON.stringify(name))
  }
})

test('a name that would reorder the words around it is refused and not mailed', async () => {
  const token = await service.signIn('dan@example.com')
  const earlier = await countMailsTo(service, 'dan@example.com')
  for (const name of [
    '\u202eyek',
    'a\u2069b',
    '\u2066x',
    'a\r\nBcc: eva@example.com',
    '\u2028x',
    '\ud83d',
    '💸'.repeat(101),
  ]) {
    const answer = await service.call('POST /auth/api-keys', { token, body: { name } })
    assert.equal(answer.status, 400, JSON.stringify(name))
  }
  assert.equal(await countMailsTo(service, 'dan@example.com'), earlier)
  assert.equal(await countMailsTo(service, 'eva@example.com'), 0)
})
