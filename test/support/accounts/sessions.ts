import assert from 'node:assert/strict'
import { read } from './tokens.ts'
import type { Service } from '../service.ts'

/** User agents, by the words that the service has for them. */
export const agents = {
  'Chrome on Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Firefox on Linux': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Safari on iOS':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
} as const

export const signInIdOf = (token: string): string => String(read(token).claims['sid'])

export async function listSessions({ call }: Pick<Service, 'call'>, token: string): Promise<any[]> {
  const answer = await call('GET /auth/sessions', { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.sessions
}

export const revokeSession = ({ call }: Pick<Service, 'call'>, token: string, id: string) =>
  call(`POST /auth/sessions/${id}/revoke`, { token })
