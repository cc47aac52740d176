import type { GoogleService } from './google.ts'
import type { Answer, Service } from '../service.ts'

/** Connects a Google account to the account of a token; `claims` override those of the ID token. */
export function connect(service: GoogleService, token: string, claims: Record<string, unknown> = {}): Promise<Answer> {
  const credential = service.issuer.sign(service.issuer.claims(claims))
  return service.call('POST /auth/google/connection', { token, body: { credential } })
}

export function disconnect({ call }: Service, token: string): Promise<Answer> {
  return call('DELETE /auth/google/connection', { token })
}

export async function connectedTo({ call }: Service, token: string): Promise<string | null> {
  const { body } = await call('GET /auth/google/connection', { token })
  return body.connection?.email ?? null
}

/** The stored Google subjects that can sign in to the account of an address. */
export async function subjectsOf({ db }: Service, email: string): Promise<string[]> {
  const rows = await db.query
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .select('subject')
    .where('users.email', '=', email)
    .orderBy('subject')
    .execute()
  return rows.map(({ subject }) => subject)
}
