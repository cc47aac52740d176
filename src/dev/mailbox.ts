/** The development mailbox: without an SMTP server, mails are shown at `/dev/mailbox`, on loopback only. */
import { ApiError } from '../errors.ts'
import type { App } from '../http/endpoint.ts'
import type { Clock } from '../lib/clock.ts'
import { html, Html } from '../lib/text/html.ts'
import type { Mail, MailTransport } from '../mail/smtp-transport.ts'
import { refuseOthers } from './loopback-only.ts'

const MAX_MAILS = 100

type ReceivedMail = Mail & Readonly<{ id: number; atMs: number }>

export type DevelopmentMailbox = Readonly<{ transport: MailTransport; addPages(app: App): void }>

export function createDevelopmentMailbox(clock: Clock): DevelopmentMailbox {
  const mails: ReceivedMail[] = []
  let received = 0

  return {
    transport: {
      async send(mail) {
        mails.unshift({ ...mail, id: ++received, atMs: clock.now() })
        mails.length = Math.min(mails.length, MAX_MAILS)
      },
      close: () => {},
    },

    addPages(app) {
      const options = { config: { access: 'public' }, schema: { hide: true }, onRequest: refuseOthers } as const

      app.get('/dev/mailbox', options, async (_request, reply) => {
        reply.header(
          'content-security-policy',
          "default-src 'none'; style-src 'self'; frame-src 'self'; frame-ancestors 'none'",
        )
        return reply.type('text/html; charset=utf-8').send(page(mails))
      })

      app.get<{ Params: { id: string } }>('/dev/mailbox/:id', options, async (request, reply) => {
        const mail = mails.find(({ id }) => String(id) === request.params.id)
        if (mail === undefined) throw new ApiError('NOT_FOUND')
        // As in a mail program: no scripts, and links open in a new tab.
        reply.header(
          'content-security-policy',
          "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
        )
        reply.header('x-frame-options', 'SAMEORIGIN')
        return reply.type('text/html; charset=utf-8').send(`<base target="_blank">${mail.html}`)
      })
    },
  }
}

function page(mails: readonly ReceivedMail[]): string {
  const items = mails.map((mail) => {
    const path = `/dev/mailbox/${mail.id}`
    return html`<article>
      <h2>${mail.subject}</h2>
      <p class="soft">
        To ${mail.to}, ${new Date(mail.atMs).toISOString()} · <a href="${path}" target="_blank">open in a new tab</a>
      </p>
      <iframe src="${path}" title="${mail.subject}"></iframe>
      <details>
        <summary>Text part</summary>
        <pre>${linkify(html`${mail.text}`)}</pre>
      </details>
    </article> `
  })
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Development mailbox</title>
        <link rel="stylesheet" href="/dev/page.css" />
      </head>
      <body class="mailbox">
        <main>
          <h1>Development mailbox</h1>
          <p class="soft">
            No SMTP server is configured (SMTP_URL), so mail is delivered here. It is lost when the service stops.
          </p>
          <p><a href="/dev/mailbox">Refresh</a></p>
          ${items.length === 0 ? html`<p>No mail yet.</p>` : items}
        </main>
      </body>
    </html> `.text
}

function linkify({ text }: Html): Html {
  return new Html(text.replace(/https?:\/\/[^\s<]+/g, (link) => `<a href="${link}" target="_blank">${link}</a>`))
}
