/** The buttons in mails, pressed as their pages do it. */
import type { Answer, Service } from '../service.ts'
import { linkIn, MAIL_WITHIN_MS } from './smtp.ts'
import type { ReceivedMail } from './smtp.ts'
import { recipientsOf } from '../database/state.ts'

/** `confirm-email` needs a sign-in too, and is not pressed here. */
export type Button = 'not-me' | 'resume-mail' | 'undo-email'

const routes: Readonly<Record<Button, string>> = {
  'not-me': 'POST /auth/links/not-me',
  'resume-mail': 'POST /auth/mail/resume',
  'undo-email': 'POST /auth/email/undo',
}

export function buttonIn(mail: ReceivedMail, button: Button | 'confirm-email'): string {
  const { hash } = linkIn(mail, `/${button}#token=`)
  return new URLSearchParams(hash.slice(1)).get('token') ?? ''
}

/** Presses a button; `token` may be invalid. */
export function press(
  { call }: Service,
  button: Button,
  token: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return call(routes[button], { body: { token }, headers })
}

/** The tokens of a sign-in mail's link and button, and the mail. */
export type SignInMail = Readonly<{ link: string; notMe: string; mail: ReceivedMail }>

/** Requests a link and returns its mail, once the queue is empty. */
export async function signInMail(service: Service, email: string): Promise<SignInMail> {
  await service.call('POST /auth/request', { body: { email } })
  const mail = await service.smtp.mailTo(email, MAIL_WITHIN_MS, '/auth/verify?')
  // The queue counts a mail after its delivery; wait for that too.
  await recipientsOf(service)
  const link = linkIn(mail, '/auth/verify?').searchParams.get('token') ?? ''
  return { link, notMe: buttonIn(mail, 'not-me'), mail }
}

/** Presses a "not me" button that must work. */
export async function pressNotMe(service: Service, token: string): Promise<void> {
  const { status, text } = await press(service, 'not-me', token)
  if (status !== 200) throw new Error(`not pressed: ${text}`)
}

/** Pauses mail to an address, as its holder does after an unexpected mail. */
export async function pauseMail(service: Service, email: string): Promise<void> {
  await pressNotMe(service, (await signInMail(service, email)).notMe)
}

/** How many mails an address received, once the queue is empty. */
export async function countMailsTo(service: Service, email: string): Promise<number> {
  return (await recipientsOf(service)).filter((to) => to === email).length
}

export async function eventsOf({ db }: Service, email: string) {
  const events = await db.query
    .selectFrom('security_events')
    .innerJoin('users', 'users.id', 'security_events.user_id')
    .select(['security_events.type', 'security_events.detail', 'security_events.client'])
    .where('users.email', '=', email)
    .orderBy('security_events.at_ms')
    .orderBy('security_events.id')
    .execute()
  return events.map(({ type, detail, client }) => ({ type, detail, client }))
}
