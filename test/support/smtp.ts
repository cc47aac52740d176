/** A real SMTP server on loopback that keeps what it is given. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import type { Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerOptions } from 'smtp-server'

/** A mail as it arrived: the envelope, and the message parsed. */
export type ReceivedMail = Readonly<{ from: string; to: string[]; raw: string; message: Email }>

/** The server, and everything that arrived. */
export type SmtpStandIn = Readonly<{
  url: string
  mails: ReceivedMail[]
  /** The next mail to this address that no earlier call returned; waits up to `withinMs`. */
  mailTo(address: string, withinMs?: number): Promise<ReceivedMail>
  close(): Promise<void>
}>

/** Starts the server; `options` may add failures (`onMailFrom`, `onRcptTo`, `onData` …). */
export async function startSmtp(options: SMTPServerOptions = {}, port = 0): Promise<SmtpStandIn> {
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
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map((recipient) => recipient.address),
          raw,
          message: await PostalMime.parse(raw),
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')

  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    async mailTo(address, withinMs = 5000) {
      const deadline = performance.now() + withinMs
      while (performance.now() < deadline) {
        const mail = mails.find((m) => m.to.includes(address) && !returned.has(m))
        if (mail) {
          returned.add(mail)
          return mail
        }
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      throw new Error(`no mail to ${address} within ${withinMs} ms`)
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The sign-in link of a mail's text part. */
export function linkIn(mail: ReceivedMail): URL {
  const [link] = mail.message.text?.match(/https?:\/\/\S+/) ?? []
  if (link === undefined) throw new Error('the mail has no link')
  return new URL(link)
}
