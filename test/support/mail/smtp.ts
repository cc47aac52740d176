/** A real SMTP server on loopback that stores the mails it receives. */
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import PostalMime from 'postal-mime'
import type { Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerOptions } from 'smtp-server'

export type ReceivedMail = Readonly<{ from: string; to: string[]; raw: string; message: Email }>

/** Default timeout for a mail: long enough for a busy machine. */
export const MAIL_WITHIN_MS = 60_000

export type SmtpStandIn = Readonly<{
  url: string
  mails: ReceivedMail[]
  /** The next mail to this address that contains `holding` and that no earlier call returned; waits up to a minute. */
  mailTo(address: string, withinMs?: number, holding?: string): Promise<ReceivedMail>
  /** Closes every connection, as a crashing server does. */
  cutConnections(): void
  close(): Promise<void>
}>

/** Failures (`onConnect`, `onMailFrom`, `onRcptTo` …), and what happens before a mail is accepted. */
export type SmtpOptions = SMTPServerOptions &
  Readonly<{
    /** Address to listen on; default loopback. */
    host?: string
    /** Runs when a mail has arrived: delays the reply, or refuses the mail by throwing. */
    beforeAnswer?: (mail: ReceivedMail) => Promise<unknown>
  }>

export async function startSmtp(options: SmtpOptions = {}, port = 0): Promise<SmtpStandIn> {
  const { host = '127.0.0.1', beforeAnswer = async () => {}, ...serverOptions } = options
  const sockets = new Set<Socket>()
  const mails: ReceivedMail[] = []
  const returned = new Set<ReceivedMail>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        const { mailFrom, rcptTo } = session.envelope
        const mail: ReceivedMail = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map((recipient) => recipient.address),
          raw,
          message: await PostalMime.parse(raw),
        }
        mails.push(mail)
        const outcome = await beforeAnswer(mail)
        done(outcome instanceof Error ? outcome : null)
      })
    },
    ...serverOptions,
  })
  server.on('error', () => {})
  server.server.on('connection', (socket) => sockets.add(socket.on('close', () => sockets.delete(socket))))
  server.listen(port, host)
  await once(server.server, 'listening')
  // A service that fails to start must not keep the test's process alive.
  server.server.unref()

  return {
    url: `smtp://${host}:${(server.server.address() as AddressInfo).port}`,
    mails,
    async mailTo(address, withinMs = MAIL_WITHIN_MS, holding = '') {
      const deadline = performance.now() + withinMs
      while (performance.now() < deadline) {
        const mail = mails.find((m) => m.to.includes(address) && !returned.has(m) && flowingText(m).includes(holding))
        if (mail) {
          returned.add(mail)
          return mail
        }
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      throw new Error(`no mail ${holding} to ${address} within ${withinMs} ms`)
    },
    cutConnections: () => sockets.forEach((socket) => socket.destroy()),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The text part without its line breaks, whose places depend on the words around. */
export const flowingText = ({ message }: ReceivedMail): string => (message.text ?? '').replace(/\s+/g, ' ')

/** The first link in a mail's text part that contains `holding`; without it the first link, to sign in. */
export function linkIn(mail: ReceivedMail, holding = ''): URL {
  const links = mail.message.text?.match(/https?:\/\/\S+/g) ?? []
  const link = links.find((each) => each.includes(holding))
  if (link === undefined) throw new Error(`the mail has no link ${holding}`)
  return new URL(link)
}
