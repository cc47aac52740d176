import type { Answer, Service } from '../service.ts'
import { linkIn, MAIL_WITHIN_MS } from './smtp.ts'

/** Requests a link and returns the token that arrived by mail. */
export async function mailedToken(
  { call, smtp }: Service,
  email: string,
  request: Readonly<Record<string, string>> = {},
): Promise<string> {
  const requested = await call('POST /auth/request', { body: { email, ...request } })
  if (requested.status !== 200) throw new Error(`no link: ${requested.text}`)
  const mail = await smtp.mailTo(email, MAIL_WITHIN_MS, '/auth/verify?')
  return linkIn(mail).searchParams.get('token') ?? ''
}

/** Verifies a link's token, as a program or with other header fields. */
export function verify(
  { call }: Service,
  token: string,
  options: Readonly<{ redirectTo?: string; headers?: Record<string, string>; method?: string }> = {},
): Promise<Answer> {
  const { redirectTo, headers = {}, method = 'GET' } = options
  const query = new URLSearchParams({ token, ...(redirectTo === undefined ? {} : { redirectTo }) })
  return call(`${method} /auth/verify?${query.toString()}`, { headers })
}
