/** Hands one mail to an SMTP server, to one recipient, over TLS unless the server is this machine. */
import { Readable } from 'node:stream'
import type { Transporter } from 'nodemailer'
import { isLoopback } from '../lib/network.ts'

/** A mail with both parts. Headers are made by the transport: nothing here may carry one. */
export type Mail = Readonly<{ to: string; subject: string; text: string; html: string }>

/** Takes mail away. */
export type MailTransport = Readonly<{
  /**
   * Resolves once the mail is accepted. A rejection leaves open whether it was; `signal` ends the
   * attempt and its connection.
   * @throws {PermanentMailError} when sending this mail again is no use
   */
  send(mail: Mail, signal: AbortSignal): Promise<void>
  close(): void
}>

/** The server refuses this recipient or this mail for good (a 5yz reply, RFC 5321, section 4.2.1). */
export class PermanentMailError extends Error {
  override readonly name = 'PermanentMailError'
  readonly responseCode: number

  constructor(responseCode: number) {
    super('the mail server refused the mail')
    this.responseCode = responseCode
  }
}

/**
 * A pooled SMTP client.
 * @param server `smtp:` or `smtps:` URL; without TLS only loopback is talked to
 * @param from the sender's address, also of the envelope
 */
export function createSmtpTransport(server: URL, from: string): MailTransport {
  // The library is loaded for the first mail: a start does not wait for it.
  let loading: Promise<Transporter> | undefined
  const load = async () => {
    const [{ createTransport }, { mimeText }] = await Promise.all([import('nodemailer'), import('./mime-text.ts')])
    const transport = createTransport({ ...connectionTo(server), pool: true, maxConnections: 5 })
    return transport.use('stream', ({ message }, done) => {
      const mime = mimeText(message)
      message.createReadStream = () => Readable.from(mime)
      done()
    })
  }

  return {
    async send({ to, subject, text, html }, signal) {
      try {
        loading ??= load()
        const transport = await loading
        await transport.sendMail({
          // Objects, in the envelope too, which has exactly one recipient: a string would be parsed,
          // and a comma or a line break in it would reach other people.
          from: { name: '', address: from },
          to: { name: '', address: to },
          envelope: { from: { name: '', address: from }, to: [{ name: '', address: to }] },
          subject,
          text,
          html,
          encoding: 'quoted-printable',
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          signal,
        })
      } catch (error) {
        throw permanentError(error) ?? error
      }
    },
    close: () => void loading?.then((transport) => transport.close()),
  }
}

/**
 * Greets the server as a mail would, up to the login, and sends nothing.
 * @throws the platform's or nodemailer's error; its message holds the server's words, and no password
 */
export async function greetSmtp(server: URL): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(connectionTo(server))
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

function connectionTo(server: URL) {
  const isTls = server.protocol === 'smtps:'
  const isLocal = isLoopback(server.hostname)
  return {
    host: server.hostname.replace(/^\[|\]$/g, ''),
    port: Number(server.port) || (isTls ? 465 : 587),
    secure: isTls,
    requireTLS: !isTls && !isLocal,
    ignoreTLS: !isTls && isLocal,
    ...(server.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) } }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

// A 5yz reply to the greeting or the login, or one that says the policy does not let us send (RFC 3463,
// 5.7.x: relaying denied), is a fault of the set-up, which can be mended while mails wait.
function permanentError(error: unknown): PermanentMailError | undefined {
  const { responseCode = 0, command = '', response = '' } = error as SmtpError
  const isAboutThisMail = ['RCPT TO', 'DATA'].includes(command) && !/^5\d\d[ -]5\.7\./.test(response)
  return responseCode >= 500 && isAboutThisMail ? new PermanentMailError(responseCode) : undefined
}

type SmtpError = Readonly<{ responseCode?: number; command?: string; response?: string }>
