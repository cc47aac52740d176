/** Changes of an account's address, through the mails. */
import { buttonIn } from '../mail/buttons.ts'
import { MAIL_WITHIN_MS } from '../mail/smtp.ts'
import { recipientsOf } from '../database/state.ts'
import type { Answer, Service } from '../service.ts'

/** Asks for a change, and returns the token that was mailed to the new address. */
export async function askForChange(service: Service, token: string, newEmail: string): Promise<string> {
  const asked = await service.call('POST /users/me/email', { token, body: { email: newEmail } })
  if (asked.status !== 202) throw new Error(`not asked: ${asked.text}`)
  const mail = await service.smtp.mailTo(newEmail, MAIL_WITHIN_MS, '/confirm-email#')
  await recipientsOf(service)
  return buttonIn(mail, 'confirm-email')
}

export const confirmWith = (service: Service, token: string, mailed: string): Promise<Answer> =>
  service.call('POST /auth/email/confirm', { token, body: { token: mailed } })

export type Changed = Readonly<{
  /** The token that replaces the one of the sign-in. */
  token: string
  /** Of the mail to the old address. */
  undo: string
  notMe: string
}>

/** Changes the address of a fresh sign-in's account. */
export async function changeAddress(
  service: Service,
  token: string,
  { from, to }: Readonly<{ from: string; to: string }>,
): Promise<Changed> {
  const confirmed = await confirmWith(service, token, await askForChange(service, token, to))
  if (confirmed.status !== 200) throw new Error(`not confirmed: ${confirmed.text}`)
  const mail = await service.smtp.mailTo(from, MAIL_WITHIN_MS, '/undo-email#')
  await recipientsOf(service)
  return { token: confirmed.body.token, undo: buttonIn(mail, 'undo-email'), notMe: buttonIn(mail, 'not-me') }
}

/** Asks for a sign-in link to a reserved address, and returns the undo token of the mail. */
export async function remailedUndo(service: Service, email: string): Promise<string> {
  await service.call('POST /auth/request', { body: { email } })
  const mail = await service.smtp.mailTo(email, MAIL_WITHIN_MS, '/undo-email#')
  await recipientsOf(service)
  return buttonIn(mail, 'undo-email')
}
