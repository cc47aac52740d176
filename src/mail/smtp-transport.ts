/** Sends one mail to one recipient by SMTP, over TLS unless the server is this machine. */
import { Readable } from 'node:stream'
import type { Transporter } from 'nodemailer'
import { isLoopback } from '../lib/network.ts'

/** The transport makes the headers: no field may carry one. */
export type Mail = Readonly<{ to: string; subject: string; text: string; html: string }>

export type MailTransport = Readonly<{
  /**
   * Resolves when the mail is accepted. After a rejection it may have been accepted or not. `signal` ends the attempt
   * and its connection.
   * @throws {PermanentMailError} when a retry is useless
   */
  send(mail: Mail, signal: AbortSignal): Promise<void>
  close(): void
}>

/** The server refuses this recipient or this mail permanently (a 5yz reply, RFC 5321, section 4.2.1). */
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
 * @param server `smtp:` or `smtps:` URL; without TLS only loopback is allowed
 * @param from the sender's address, also of the envelope
 */
export function createSmtpTransport(server: URL, from: string): MailTransport {
  // Loaded for the first mail, so that the start does not wait for the library.
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
          // Objects, and an envelope with exactly one recipient: a string would be parsed, and a comma or a line break
          // in it could reach other people.
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
 * Connects and logs in as for a mail, and sends nothing.
 * @throws the platform's or nodemailer's error; its message has the server's reply, and no password
 */
export async function checkSmtpConnection(server: URL): Promise<void> {
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

/** Whether the server answered, and does not take this mail or recipient now (a 4yz reply): other mail may pass. */
export function isRefusedForNow(error: unknown): boolean {
  const { responseCode = 0 } = error as SmtpError
  return responseCode >= 400 && responseCode < 500 && isAboutThisMail(error as SmtpError)
}

// A 5yz reply to the greeting or the login, or one about policy (RFC 3463, 5.7.x: relaying denied), is a configuration
// error, which the operator can fix while mails wait.
function permanentError(error: unknown): PermanentMailError | undefined {
  const { responseCode = 0 } = error as SmtpError
  return responseCode >= 500 && isAboutThisMail(error as SmtpError) ? new PermanentMailError(responseCode) : undefined
}

function isAboutThisMail({ command = '', response = '' }: SmtpError): boolean {
  return ['RCPT TO', 'DATA'].includes(command) && !/^5\d\d[ -]5\.7\./.test(response)
}

type SmtpError = Readonly<{ responseCode?: number; command?: string; response?: string }>
