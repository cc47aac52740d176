/**
 * The HTML part of every mail. Tables and inline styles, because mail programs drop the rest; the style sheet only adds
 * the dark colours. Nothing is loaded: the name stands for the logo, since a remote image tracks its reader, and mail
 * programs block or remove images of every kind (docs/decisions/0054).
 */
import type { Language } from '../../domain/languages.ts'
import { Html, html, noHtml } from '../../lib/text/html.ts'

/** A link with the words in front of it. */
export type ExtraLink = Readonly<{ before: string; label: string; href: string }>

export type MailParts = Readonly<{
  language: Language
  subject: string
  before: readonly string[]
  button: Readonly<{ label: string; href: string; fallback: string }> | null
  after: readonly string[]
  /** Names and values. */
  facts: readonly (readonly [string, string])[]
  extras: readonly ExtraLink[]
}>

const FONT = html`font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`
const TABLE = html`role="presentation" cellpadding="0" cellspacing="0" border="0"`
const SMALL = 'font-size:14px;line-height:20px;color:#59607a'

// The colours of the web app (web/src/style.css).
const STYLE = new Html(`:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #0c0f16 !important; }
  .card { background: #141925 !important; border-color: #283041 !important; color: #e9ecf5 !important; }
  .strong { color: #e9ecf5 !important; }
  .soft { color: #a2abc2 !important; }
  .line { border-color: #283041 !important; }
  .link { color: #93a3ff !important; }
  .button { background: #93a3ff !important; }
  .button a { color: #0c1030 !important; }
}`)

export function toHtml({ language, subject, before, button, after, facts, extras }: MailParts): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body class="page" style="margin:0;padding:0;background:#f7f8fb">
        <div style="display:none;max-height:0;overflow:hidden">${before[0] ?? ''}</div>
        <table ${TABLE} class="page" width="100%" style="background:#f7f8fb">
          <tr>
            <td align="center" style="padding:24px 12px">
              <table ${TABLE} width="100%" style="max-width:520px">
                <tr>
                  <td
                    class="card"
                    style="padding:28px 24px;border:1px solid #e1e4ee;border-radius:12px;background:#ffffff;color:#161a26;${FONT};font-size:16px;line-height:24px;word-break:break-word"
                  >
                    ${LOGO}
                    <h1 class="strong" style="margin:24px 0 12px;font-size:22px;line-height:28px;color:#161a26">
                      ${subject}
                    </h1>
                    ${before.map(paragraph)}${button === null ? noHtml : buttonHtml(button.label, button.href)}
                    ${after.map(paragraph)}${facts.length === 0 ? noHtml : factsHtml(facts)}
                    ${button === null ? noHtml : html`<p class="soft" style="margin:16px 0 0;${SMALL}">${button.fallback}<br /><span style="word-break:break-all">${button.href}</span></p>`}
                  </td>
                </tr>
              </table>
              <table ${TABLE} width="100%" style="max-width:520px">
                <tr>
                  <td style="padding:16px 24px 0;${FONT}">
                    ${extras.map(
                      (extra) =>
                        html`<p class="soft" style="margin:0 0 8px;${SMALL}">
                          ${extra.before} ${anchor(extra.href, extra.label)}
                        </p> `,
                    )}
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html> `.text
}

const LOGO = html`<div class="strong" style="color:#161a26;font-size:18px;line-height:24px;font-weight:700">
  Paylink
</div>`

const paragraph = (line: string): Html => html`<p style="margin:0 0 12px">${line}</p> `

function buttonHtml(label: string, href: string): Html {
  return html`<table ${TABLE} style="margin:20px 0">
    <tr>
      <td class="button" align="center" bgcolor="#3b4fe0" style="border-radius:8px;background:#3b4fe0">
        <a
          href="${href}"
          style="display:inline-block;padding:12px 28px;color:#ffffff;${FONT};font-size:16px;line-height:24px;font-weight:600;text-decoration:none"
          >${label}</a
        >
      </td>
    </tr>
  </table>`
}

function factsHtml(facts: MailParts['facts']): Html {
  const rows = facts.map(
    ([name, value]) =>
      html`<tr>
        <td class="soft" valign="top" style="padding:4px 16px 4px 0;white-space:nowrap;${FONT};${SMALL}">${name}</td>
        <td class="strong" valign="top" style="padding:4px 0;${FONT};font-size:14px;line-height:20px;color:#161a26">
          ${value}
        </td>
      </tr> `,
  )
  return html`<div
    class="line"
    style="margin:20px 0 0;padding:12px 0;border-top:1px solid #e1e4ee;border-bottom:1px solid #e1e4ee"
  >
    <table ${TABLE}>
      ${rows}
    </table>
  </div>`
}

function anchor(href: string, label: string): Html {
  return html`<a class="link" href="${href}" style="color:#3b4fe0">${label}</a>`
}
