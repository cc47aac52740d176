/** Only the transport's own commands reach a mail server, and clear text is sent only to this machine. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createSmtpTransport } from '../../../src/mail/smtp-transport.ts'
import type { MailTransport } from '../../../src/mail/smtp-transport.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { until } from '../../support/mail/mailing.ts'
import { startLineSmtp } from '../../support/mail/smtp-lines.ts'
import type { Reply, LineSmtp } from '../../support/mail/smtp-lines.ts'
import { stopwatch } from '../../support/process/stopwatch.ts'

const FROM = 'no-reply@paylink.example'
const content = { subject: 'Sign in to Paylink', text: 'Open it', html: '<p>Open it</p>' }
const soon = () => AbortSignal.timeout(60_000)

// Everything that some software treats as a line break.
const BREAKS = ['\r\n', '\n', '\r', '\0', '\u2028', '\u2029', '\u0085', '\v', '\f', '\r\n.\r\n', '%0d%0a']

describe('line breaks planted by an API client or an operator', () => {
  let server: LineSmtp
  let transport: MailTransport
  before(async () => {
    server = await startLineSmtp()
    transport = createSmtpTransport(server.url, FROM)
  })
  beforeEach(() => {
    server.commands.length = 0
    server.messages.length = 0
  })
  after(async () => {
    transport.close()
    await server.close()
  })

  /** Asserts that only the commands of one mail were sent, each at most once, and none with planted text. */
  function assertOwnCommands(): void {
    const verbs = server.commands.map((line) => line.replace(/^(EHLO|MAIL FROM:|RCPT TO:|DATA|RSET|QUIT).*$/s, '$1'))
    const own = new Set(['EHLO', 'MAIL FROM:', 'RCPT TO:', 'DATA', 'RSET', 'QUIT'])
    assert.deepEqual(
      verbs.filter((verb) => !own.has(verb)),
      [],
      server.commands.join('\n'),
    )
    for (const verb of ['MAIL FROM:', 'RCPT TO:', 'DATA']) {
      assert.ok(verbs.filter((other) => other === verb).length <= 1, server.commands.join('\n'))
    }
    for (const line of server.commands) {
      if (!line.startsWith('RCPT')) assert.doesNotMatch(line, /eve/)
      assert.doesNotMatch(line, /[\0-\x1f\x7f]/, JSON.stringify(line))
    }
    assert.ok(!server.commands.some((line) => line.startsWith('RCPT TO:<eve@')), server.commands.join('\n'))
  }

  test('in a recipient add no command and no header [GHSA-c7w3-x93f-qmm8]', async () => {
    for (const lineBreak of BREAKS) {
      for (const planted of ['RCPT TO:<eve@evil.example>', 'Bcc: eve@evil.example', 'QUIT']) {
        for (const to of [`ana@example.com${lineBreak}${planted}`, `ana${lineBreak}${planted}@example.com`]) {
          server.commands.length = 0
          server.messages.length = 0
          await transport.send({ to, ...content }, soon()).catch(() => {})
          assertOwnCommands()
          for (const message of server.messages) {
            assert.doesNotMatch(message, /^(bcc|rcpt to|quit)\b/im, JSON.stringify(to))
          }
        }
      }
    }
  })

  test('in a subject add no command and no header [GHSA-c7w3-x93f-qmm8]', async () => {
    for (const lineBreak of BREAKS) {
      server.commands.length = 0
      server.messages.length = 0
      const planted = [
        'Bcc: eve@evil.example',
        'List-Unsubscribe: <https://evil.example>',
        '.',
        'RCPT TO:<eve@evil.example>',
      ]
      const subject = ['Hello', ...planted].join(lineBreak)
      await transport.send({ to: 'ana@example.com', ...content, subject }, soon())
      assertOwnCommands()
      assert.deepEqual(
        server.commands.filter((line) => line.startsWith('RCPT')),
        ['RCPT TO:<ana@example.com>'],
      )
      assert.equal(server.messages.length, 1)
      assert.doesNotMatch(server.messages[0] ?? '', /^(bcc|list-[a-z]+|rcpt to)\b/im)
    }
  })

  test('in a setting are refused, or reach no mail server [GHSA-c7w3-x93f-qmm8]', async () => {
    const load = (env: Record<string, string>) =>
      loadConfig({ JWT_SECRET: 'a-test-secret-of-more-than-thirty-two-bytes', ...env }, () => '')
    for (const lineBreak of ['\r\n', '\n', '\r', '\0', '\u2028']) {
      const planted = `${lineBreak}RCPT TO:<eve@evil.example>`
      assert.throws(() => load({ MAIL_FROM: `no-reply@paylink.example${planted}` }), /MAIL_FROM/)
      assert.throws(() => load({ MAIL_FROM: `no-reply${planted}@paylink.example` }), /MAIL_FROM/)
      assert.throws(() => load({ PUBLIC_URL: `http://127.0.0.1${planted}` }), /PUBLIC_URL/)
      // A login may contain any percent-encoded character; SMTP sends it in base64 only.
      const login = encodeURIComponent(`user${planted}`)
      const url = load({ SMTP_URL: server.url.href.replace('//', `//${login}:${login}@`) }).smtpUrl as URL
      const withLogin = createSmtpTransport(url, FROM)
      server.commands.length = 0
      await withLogin.send({ to: 'ana@example.com', ...content }, soon()).catch(() => {})
      withLogin.close()
      assert.ok(server.commands.length > 0)
      assert.doesNotMatch(server.commands.join('\n'), /eve@/)
    }
  })
})

describe('a server that answers STARTTLS', { concurrency: true }, () => {
  const offer = '250-localhost\r\n250 STARTTLS\r\n'
  const answers: Readonly<Record<string, string>> = {
    'with later answers injected behind it':
      '220 go\r\n250-localhost\r\n250 AUTH PLAIN LOGIN\r\n235 welcome\r\n250 ok\r\n250 ok\r\n354 go on\r\n',
    'and continues in clear text': '220 go\r\n',
    'with a temporary refusal': '454 not now\r\n',
    'with a permanent refusal': '502 no such command\r\n',
    'like any other command': '250 ok\r\n',
  }
  for (const [how, answer] of Object.entries(answers)) {
    test(`${how} gets no login, address or mail in clear text [F23]`, async () => {
      const reply: Reply = (command) =>
        command.startsWith('EHLO') ? offer : command === 'STARTTLS' ? answer : undefined
      const server = await startLineSmtp(reply)
      // On Linux 0.0.0.0 reaches this host but is not a loopback address.
      const url = new URL(`smtp://user:pass@0.0.0.0:${server.url.port}`)
      const transport = createSmtpTransport(url, FROM)
      await assert.rejects(transport.send({ to: 'ana@example.com', ...content }, soon()))
      transport.close()
      const sentVerbs = server.commands.map((line) => line.split(' ')[0])
      assert.deepEqual(
        sentVerbs.filter((verb) => !['EHLO', 'STARTTLS', 'QUIT'].includes(verb ?? '')),
        [],
      )
      assert.ok(sentVerbs.includes('STARTTLS'))
      assert.deepEqual(server.messages, [])
      // A TLS record: a handshake or an alert, never text.
      for (const bytes of server.afterStartTls) assert.match(String(bytes[0]), /^(20|21|22)$/)
      await server.close()
    })
  }
})

describe('a slow server', { concurrency: true }, () => {
  test('that sends a byte at a time is dropped when the signal aborts [F19]', async () => {
    const server = await startLineSmtp(undefined, (socket) => {
      const timer = setInterval(() => socket.write('2'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    const transport = createSmtpTransport(server.url, FROM)
    const tookMs = stopwatch()
    await assert.rejects(transport.send({ to: 'ana@example.com', ...content }, AbortSignal.timeout(200)))
    assert.ok(tookMs() < 8000, 'before the transport’s own timeout')
    await until(() => server.open() === 0, 'the connection’s end')
    assert.deepEqual(server.commands, [])
    transport.close()
    await server.close()
  })

  test('that never answers QUIT holds no connection of a closed transport [F19]', async () => {
    const server = await startLineSmtp((command) => (command === 'QUIT' ? '' : undefined))
    const transport = createSmtpTransport(server.url, FROM)
    await transport.send({ to: 'ana@example.com', ...content }, soon())
    assert.equal(server.messages.length, 1)
    transport.close()
    await until(() => server.open() === 0, 'the connection’s end')
    await server.close()
  })
})
