/** The state of one life: three people's addresses, their mail, and every credential issued. */
import assert from 'node:assert/strict'
import { cookieJar } from '../support/google/google.ts'
import type { CookieJar, GoogleService } from '../support/google/google.ts'
import type { Answer, Call } from '../support/service.ts'
import { assertDocumented, codeIn } from '../support/documented.ts'
import { linkIn } from '../support/mail/smtp.ts'
import type { ReceivedMail } from '../support/mail/smtp.ts'
import type { ModelAccount, ModelButton, ModelKey, ModelToken, ModelUser } from './model.ts'
import { isValid } from './model.ts'
import { hasScope, scopeOf } from './restrictions.ts'

export type CallWorld = (route: string, call?: Call) => Promise<Answer>

export type World = Readonly<{
  service: GoogleService
  users: readonly ModelUser[]
  tokens: ModelToken[]
  buttons: ModelButton[]
  resumeButtons: { token: string; user: ModelUser; expiresAtMs: number }[]
  spentLinks: string[]
  subjects: readonly string[]
  spentCredentials: string[]
  /** One browser, and every sign-in with Google started in it. */
  jar: CookieJar
  flows: { state: string; nonce: string; startedAtMs: number; isOver: boolean }[]
  call: CallWorld
  nowMs(): number
  /** Calls, asserts this error code or status, and checks the answer against openapi.json. */
  ask(route: string, expected: string | number, call?: Call): Promise<any>
  /** A protected call, which must get UNAUTHORIZED if the model says that the token is dead. */
  askAs(token: ModelToken, route: string, expected: string | number, call?: Call): Promise<any>
  /** The mails that a call caused, once only mail held back by a pause is queued. */
  mailsAfter(email: string, act: () => Promise<unknown>): Promise<ReceivedMail[]>
}>

let lives = 0

/** A new world on a running service, with addresses of its own. */
export function newWorld(service: GoogleService, call: CallWorld): World {
  const life = ++lives
  const nowMs = () => service.clock.now()

  const outcomeOf = (token: ModelToken, route: string, expected: string | number) =>
    isValid(token, nowMs()) ? (hasScope(token, scopeOf(route)) ? expected : 'INSUFFICIENT_SCOPE') : 'UNAUTHORIZED'

  const world: World = {
    service,
    users: ['ana', 'bob', 'cia'].map((name) => ({
      email: `${name}-${life}@example.com`,
      account: null,
      pausedMailAtMs: null,
      heldNotice: null,
    })),
    tokens: [],
    buttons: [],
    resumeButtons: [],
    spentLinks: [],
    subjects: [1, 2, 3, 4].map((n) => `subject-${n}-of-life-${life}`),
    spentCredentials: [],
    jar: cookieJar(),
    flows: [],
    call,
    nowMs,
    async ask(route, expected, options = {}) {
      const answer = await call(route, options)
      assert.equal(codeIn(answer.body) ?? answer.status, expected, `${route}: ${answer.text}`)
      assertDocumented(route, answer)
      return answer.body
    },
    askAs: (token, route, expected, options = {}) =>
      world.ask(route, outcomeOf(token, route, expected), { ...options, token: token.text }),
    async mailsAfter(email, act) {
      const before = service.smtp.mails.length
      await act()
      // A mail held back by a pause is due later and was not attempted.
      const isQueued = () =>
        service.db.query
          .selectFrom('queued_mails')
          .select('id')
          .where('email', '=', email)
          .where((row) => row.or([row('attempts', '>', 0), row('due_at_ms', '<=', nowMs())]))
          .executeTakeFirst()
      while (await isQueued()) await new Promise((resolve) => setTimeout(resolve, 2))
      return service.smtp.mails.slice(before).filter((mail) => mail.to.includes(email))
    },
  }
  return world
}

/** An element chosen by any number; `undefined` if the list is empty. */
export function pick<T>(list: readonly T[], number: number): T | undefined {
  return list[number % Math.max(1, list.length)]
}

/** A key of the account chosen by any number; `undefined` stands for a wrong id. */
export function pickKey(account: ModelAccount, number: number): ModelKey | undefined {
  return pick(account.keys, number)
}

/** The token after `#token=` or `?token=` in a mail's link. */
export function tokenIn(mail: ReceivedMail, holding: string): string {
  return /token=([\w-]+)/.exec(linkIn(mail, holding).href)?.[1] ?? ''
}

/**
 * How many of the mails announce a new account; late mails about an earlier one, for example its keys, do not count.
 */
export function signupNoticesIn(mails: readonly ReceivedMail[]): number {
  return mails.filter(({ message }) => message.subject?.includes('account was created')).length
}

export function addToken(
  world: World,
  text: string,
  about: Omit<ModelToken, 'text' | 'version' | 'expiresAtMs'>,
  lifetimeSeconds: number,
): void {
  const expiresAtMs = Math.floor(world.nowMs() / 1000) * 1000 + lifetimeSeconds * 1000
  world.tokens.push({ ...about, text, version: about.account.version, expiresAtMs })
}
