import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { MailTransport } from '../../src/mail/smtp-transport.ts'
import { startSmtp } from '../support/mail/smtp.ts'
import { transports } from '../support/mail/transports.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'

const FROM = 'no-reply@paylink.example'
const content = {
  subject: 'Sign in to Paylink',
  text: 'Open https://x.example/?a=1',
  html: '<p>Open it</p>',
}
// What the encodings of a mail and of SMTP treat specially: dots, equals signs, line ends, long lines.
const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '.',
        '..',
        '=',
        '=C3',
        ' ',
        '\t',
        '\n',
        '\r\n',
        '--',
        'From ',
        'ă',
        '€',
        '🙂',
        'x'.repeat(80),
        '🙂'.repeat(100),
      ),
      fc.string(),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => `A word ${pieces.join('')}.`)
const soon = () => AbortSignal.timeout(60_000)

for (const create of transports)
  describe(`an accepted mail of ${create.name}`, () => {
    let server: SmtpStandIn
    let transport: MailTransport
    const recipients: string[] = []
    before(async () => {
      server = await startSmtp({
        onRcptTo: ({ address }, _session, done) => (recipients.push(address), done()),
      })
      transport = create(new URL(server.url), FROM)
    })
    beforeEach(() => {
      recipients.length = 0
      server.mails.length = 0
    })
    after(async () => {
      transport.close()
      await server.close()
    })

    test('reaches its one recipient, from us, with a text and an HTML part', async () => {
      await transport.send({ to: 'ana@example.com', ...content }, soon())
      assert.deepEqual(recipients, ['ana@example.com'])
      assert.equal(server.mails.length, 1)
      const [{ from, to, message }] = server.mails as [(typeof server.mails)[number]]
      assert.deepEqual([from, to], [FROM, ['ana@example.com']])
      assert.equal(message.from?.address, FROM)
      assert.deepEqual(
        message.to?.map(({ address }) => address),
        ['ana@example.com'],
      )
      assert.equal(message.subject, content.subject)
      assert.equal(message.text?.trim(), content.text)
      assert.equal(message.html?.trim(), content.html)
      assert.equal(message.attachments.length, 0)
    })

    test('is marked as automatic, so that it causes no out-of-office reply', async () => {
      await transport.send({ to: 'ana@example.com', ...content }, soon())
      const headers = new Map(server.mails[0]?.message.headers.map(({ key, value }) => [key, value]))
      assert.equal(headers.get('auto-submitted'), 'auto-generated')
      assert.equal(headers.get('x-auto-response-suppress'), 'All')
      assert.equal(headers.has('x-mailer'), false)
    })

    // Mail software parses a string of recipients; each of these would also reach eve.
    for (const to of [
      'ana@example.com, eve@evil.example',
      'ana@example.com,eve@evil.example',
      'ana@example.com;eve@evil.example',
      'ana@example.com eve@evil.example',
      'ana@example.com\r\nRCPT TO:<eve@evil.example>',
      'ana@example.com>\r\nRCPT TO:<eve@evil.example',
      'ana@example.com\nRCPT TO:<eve@evil.example>',
      'ana@example.com\0eve@evil.example',
      'Ana <eve@evil.example>',
      'ana@example.com <eve@evil.example>',
      '(comment) eve@evil.example',
      'g: ana@example.com, eve@evil.example;',
      '"eve@evil.example x"@example.com',
      'ana@example.com\r\nBcc: eve@evil.example',
    ]) {
      test(`${JSON.stringify(to)} never reaches eve@evil.example [CVE-2022-35924, GHSA-mm7p-fcc7-pg87]`, async () => {
        const outcome = await transport.send({ to, ...content }, soon()).catch((error: unknown) => error)
        assert.ok(!recipients.includes('eve@evil.example'), recipients.join())
        if (outcome instanceof Error) assert.deepEqual(server.mails, [])
        else assert.deepEqual(recipients, [to])
        for (const { message } of server.mails) assert.equal(message.bcc, undefined)
      })
    }

    test('with line breaks in the subject gets no injected header or body', async () => {
      const subject = 'Hello\r\nBcc: eve@evil.example\r\nX-Injected: 1\r\n\r\nan injected body'
      await transport.send({ to: 'ana@example.com', ...content, subject }, soon())
      const [mail] = server.mails
      assert.deepEqual(recipients, ['ana@example.com'])
      assert.equal(mail?.message.bcc, undefined)
      assert.ok(!mail?.message.headers.some(({ key }) => key === 'x-injected'))
      assert.equal(mail?.message.text?.trim(), content.text)
    })

    test('with SMTP commands and lone dots in its text arrives as one mail with that text', async () => {
      const commands = ['.', 'MAIL FROM:<eve@evil.example>', 'RCPT TO:<eve@evil.example>', 'DATA', '..']
      const text = ['first', ...commands, 'last'].join('\r\n')
      await transport.send({ to: 'ana@example.com', ...content, text }, soon())
      assert.deepEqual(recipients, ['ana@example.com'])
      assert.equal(server.mails.length, 1)
      assert.equal(server.mails[0]?.message.text?.trim(), text.replaceAll('\r\n', '\n'))
    })

    test('keeps letters beyond ASCII in subject and text', async () => {
      const letters = { subject: 'Linkul tău', text: 'Deschide ăîșțâ €', html: '<p>ăîșțâ €</p>' }
      await transport.send({ to: 'ana@example.com', ...letters }, soon())
      const { subject, text, html } = server.mails[0]?.message ?? {}
      assert.deepEqual({ subject, text: text?.trim(), html: html?.trim() }, letters)
    })

    test('arrives with both parts unchanged, in ASCII lines that every server accepts', async () => {
      await fc.assert(
        fc.asyncProperty(words, words, async (text, html) => {
          server.mails.length = 0
          await transport.send({ to: 'ana@example.com', ...content, text, html }, soon())
          const { message, raw } = server.mails[0] as (typeof server.mails)[number]
          const arrived = [message.text, message.html].map((part) => part?.replace(/\n$/, ''))
          assert.deepEqual(
            arrived,
            [text, html].map((part) => part.replaceAll('\r\n', '\n')),
          )
          assert.match(raw, /^(?:[\t -~]{0,78}\r\n)+$/)
        }),
        { numRuns: 50 },
      )
    })
  })
