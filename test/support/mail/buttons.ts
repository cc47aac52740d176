/** The buttons of mails, found in them and pressed as their pages do it. */
import type { Answer, Service } from '../service.ts'
import { linkIn, MAIL_WITHIN_MS } from './smtp.ts'
import type { ReceivedMail } from './smtp.ts'
import { recipientsOf } from '../database/state.ts'

/** A button, by the path of its page. */
export type Button = 'not-me' | 'resume-mail'

const routes: Readonly<Record<Button, string>> = {
  'not-me': 'POST /auth/links/not-me',
  'resume-mail': 'POST /auth/mail/resume',
}

/** The token of a mail's button. */
export function buttonIn(mail: ReceivedMail, button: Button): string {
  const { hash } = linkIn(mail, `/${button}#token=`)
  return new URLSearchParams(hash.slice(1)).get('token') ?? ''
}

/** Presses a button; `token` may be anything. */
export function press(
  { call }: Service,
  button: Button,
  token: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return call(routes[button], { body: { token }, headers })
}

/** What a sign-in mail carries: the token of its link, and the mail for its buttons. */
export type SignInMail = Readonly<{ link: string; notMe: string; mail: ReceivedMail }>

/** Asks for a link and gives the mail, once nothing is queued any more. */
export async function signInMail(service: Service, email: string): Promise<SignInMail> {
  await service.call('POST /auth/request', { body: { email } })
  const mail = await service.smtp.mailTo(email, MAIL_WITHIN_MS, '/auth/verify?')
  // The queue is done with it only when it is counted.
  await recipientsOf(service)
  const link = linkIn(mail, '/auth/verify?').searchParams.get('token') ?? ''
  return { link, notMe: buttonIn(mail, 'not-me'), mail }
}

/** Presses a "not me" that must work. */
export async function pressNotMe(service: Service, token: string): Promise<void> {
  const { status, text } = await press(service, 'not-me', token)
  if (status !== 200) throw new Error(`not pressed: ${text}`)
}

/** Pauses an address, as its holder does with a mail they did not ask for. */
export async function pauseMail(service: Service, email: string): Promise<void> {
  await pressNotMe(service, (await signInMail(service, email)).notMe)
}

/** How many mails an address has got, once nothing is queued any more. */
export async function countMailsTo(service: Service, email: string): Promise<number> {
  return (await recipientsOf(service)).filter((to) => to === email).length
}

/** The events of an address's account: types and details, oldest first. */
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
