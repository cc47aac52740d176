import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PermanentMailError } from '../../../src/mail/smtp-transport.ts'
import type { MailTransport } from '../../../src/mail/smtp-transport.ts'
import { startSmtp } from '../../support/mail/smtp.ts'
import { transports } from '../../support/mail/transports.ts'
import type { SmtpOptions, SmtpStandIn } from '../../support/mail/smtp.ts'
import { stopwatch } from '../../support/process/stopwatch.ts'

const content = { subject: 'Sign in to Paylink', text: 'Open it', html: '<p>Open it</p>' }
const soon = () => AbortSignal.timeout(60_000)

for (const create of transports)
  describe(create.name, () => {
    /** Runs `work` with a server that behaves like this, and returns the senders, recipients and mails it received. */
    async function withServer(
      options: SmtpOptions,
      work: (transport: MailTransport, server: SmtpStandIn) => Promise<unknown>,
      change: (url: URL) => void = () => {},
    ) {
      const seen = { senders: [] as string[], recipients: [] as string[] }
      const server = await startSmtp({
        onMailFrom: ({ address }, _session, done) => (seen.senders.push(address), done()),
        onRcptTo: ({ address }, _session, done) => (seen.recipients.push(address), done()),
        ...options,
      })
      const url = new URL(server.url)
      change(url)
      const transport = create(url, 'no-reply@paylink.example')
      try {
        await work(transport, server)
        return { ...seen, mails: server.mails }
      } finally {
        transport.close()
        server.cutConnections()
        await server.close()
      }
    }

    const smtpError = (responseCode: number, message = 'no') => Object.assign(new Error(message), { responseCode })
    const noRelaying = smtpError(554, '5.7.1 No relaying')

    async function assertMayBeRetried(sending: Promise<void>): Promise<void> {
      await assert.rejects(sending, (error: unknown) => !(error instanceof PermanentMailError))
    }

    const assertAttemptFails = (transport: MailTransport) => assertMayBeRetried(sendTo(transport, 'ana@example.com'))

    const sendTo = (transport: MailTransport, to: string, signal = soon()) => transport.send({ to, ...content }, signal)

    describe('a permanent refusal (5yz)', { concurrency: true }, () => {
      for (const [where, options] of [
        ['of the recipient', { onRcptTo: (_to, _session, done) => done(smtpError(550)) }],
        ['of the mail', { beforeAnswer: async () => smtpError(554) }],
      ] as readonly (readonly [string, SmtpOptions])[]) {
        test(`${where} is permanent, and its error names neither recipient nor content`, async () => {
          await withServer(options, (transport) =>
            assert.rejects(sendTo(transport, 'ana@example.com'), (error: Error) => {
              assert.ok(error instanceof PermanentMailError)
              assert.doesNotMatch(`${error.message}${JSON.stringify(error)}`, /ana@|example/)
              return true
            }),
          )
        })
      }

      for (const [where, options] of [
        ['of the connection', { onConnect: (_session, done) => done(smtpError(554)) }],
        ['of the sender', { onMailFrom: (_from, _session, done) => done(smtpError(550)) }],
        ['by policy (RFC 3463, 5.7.1)', { onRcptTo: (_to, _session, done) => done(noRelaying) }],
      ] as readonly (readonly [string, SmtpOptions])[]) {
        test(`${where} is a configuration fault: the mail may be retried`, async () => {
          const { recipients, mails } = await withServer(options, assertAttemptFails)
          assert.deepEqual([recipients, mails], [[], []])
        })
      }

      test('of the login is a configuration fault: the mail may be retried', async () => {
        const logins: unknown[] = []
        const options: SmtpOptions = {
          authOptional: false,
          disabledCommands: ['STARTTLS'],
          allowInsecureAuth: true,
          onAuth: ({ username, password }, _session, done) => {
            logins.push([username, password])
            done(smtpError(535))
          },
        }
        await withServer(options, assertAttemptFails, (url) =>
          Object.assign(url, { username: 'us%40er', password: 'p%2Fss w' }),
        )
        assert.deepEqual(logins, [['us@er', 'p/ss w']])
      })
    })

    test('a temporary refusal (4yz) is not permanent, at any stage', async () => {
      const answers = [
        { onConnect: (_session, done) => done(smtpError(421)) },
        { onMailFrom: (_from, _session, done) => done(smtpError(451)) },
        { onRcptTo: (_to, _session, done) => done(smtpError(450)) },
        { beforeAnswer: async () => smtpError(452) },
      ] satisfies SmtpOptions[]
      await Promise.all(answers.map((options) => withServer(options, assertAttemptFails)))
    })

    describe('a server that does not answer', { concurrency: true }, () => {
      test('after DATA is abandoned when the signal aborts, and other mails are still sent', async () => {
        let hasHeld = false
        const options: SmtpOptions = {
          beforeAnswer: ({ to }) => {
            if (to[0] !== 'held@example.com') return Promise.resolve()
            hasHeld = true
            return new Promise(() => {})
          },
        }
        await withServer(options, async (transport, server) => {
          const controller = new AbortController()
          const sending = sendTo(transport, 'held@example.com', controller.signal)
          await server.mailTo('held@example.com')
          const tookMs = stopwatch()
          controller.abort()
          await assertMayBeRetried(sending)
          assert.ok(tookMs() < 8000, 'before the transport’s own timeout')
          await sendTo(transport, 'ana@example.com')
        })
        assert.ok(hasHeld)
      })

      test('before its greeting is abandoned when the signal aborts [F19]', async () => {
        await withServer({ onConnect: () => {} }, async (transport) => {
          const tookMs = stopwatch()
          await assertMayBeRetried(sendTo(transport, 'ana@example.com', AbortSignal.timeout(100)))
          assert.ok(tookMs() < 8000, 'before the transport’s own timeout')
        })
      })

      test('gets nothing if the signal is already aborted', async () => {
        const { senders } = await withServer({}, (transport) =>
          assertMayBeRetried(sendTo(transport, 'ana@example.com', AbortSignal.abort())),
        )
        assert.deepEqual(senders, [])
      })

      test('and cuts the connection after DATA, a new or a reused one, does not get the same mail again [F21]', async () => {
        let server: SmtpStandIn | undefined
        const options: SmtpOptions = {
          beforeAnswer: async ({ to }) => {
            if (to[0] === 'cut@example.com') await new Promise(() => server?.cutConnections())
          },
        }
        const { mails } = await withServer(options, async (transport, running) => {
          server = running
          for (const to of ['cut@example.com', 'ana@example.com', 'cut@example.com']) {
            const sending = sendTo(transport, to)
            if (to === 'ana@example.com') await sending
            else await assertMayBeRetried(sending)
          }
          // An automatic retry by the client would precede this mail.
          await sendTo(transport, 'last@example.com')
        })
        assert.deepEqual(
          mails.flatMap(({ to }) => to),
          ['cut@example.com', 'ana@example.com', 'cut@example.com', 'last@example.com'],
        )
      })
    })

    describe('mail to another machine', { concurrency: true }, () => {
      // On Linux 0.0.0.0 reaches this host but is not a loopback address.
      const elsewhere = { host: '0.0.0.0' }

      test('is not sent, nor its sender and recipient named, to a server without STARTTLS [F23]', async () => {
        const { senders, recipients, mails } = await withServer(elsewhere, (transport) =>
          assert.rejects(sendTo(transport, 'ana@example.com'), { code: 'ETLS' }),
        )
        assert.deepEqual([senders, recipients, mails], [[], [], []])
      })

      test('is not sent, nor the login shown, to a server with an untrusted certificate [F23]', async () => {
        const logins: unknown[] = []
        const options: SmtpOptions = {
          ...elsewhere,
          disabledCommands: [],
          onAuth: ({ username }, _session, done) => (logins.push(username), done(null, { user: 'x' })),
        }
        const { senders, mails } = await withServer(
          options,
          (transport) => assert.rejects(sendTo(transport, 'ana@example.com')),
          (url) => Object.assign(url, { username: 'user', password: 'pass' }),
        )
        assert.deepEqual([logins, senders, mails], [[], [], []])
      })

      test('over smtps is not sent in clear text to a server without TLS', async () => {
        const { senders } = await withServer(
          {},
          (transport) => assert.rejects(sendTo(transport, 'ana@example.com')),
          (url) => (url.href = url.href.replace('smtp:', 'smtps:')),
        )
        assert.deepEqual(senders, [])
      })
    })
  })
