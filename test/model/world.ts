/** A world of one life: three people's addresses, their mail, and everything that was ever handed out. */
import assert from 'node:assert/strict'
import { cookieJar } from '../support/google/google.ts'
import type { CookieJar, GoogleService } from '../support/google/google.ts'
import type { Answer, Call } from '../support/service.ts'
import { assertDocumented } from '../support/documented.ts'
import { linkIn } from '../support/mail/smtp.ts'
import type { ReceivedMail } from '../support/mail/smtp.ts'
import type { ModelAccount, ModelButton, ModelKey, ModelToken, ModelUser } from './model.ts'
import { isValid } from './model.ts'

/** Makes a call of the world's; a planted bug stands in between. */
export type CallWorld = (route: string, call?: Call) => Promise<Answer>

/** Everything of one life. */
export type World = Readonly<{
  service: GoogleService
  users: readonly ModelUser[]
  tokens: ModelToken[]
  buttons: ModelButton[]
  resumeButtons: { token: string; user: ModelUser; expiresAtMs: number }[]
  /** Link tokens that are out, and ones that were used. */
  spentLinks: string[]
  /** Google accounts, by their subjects. */
  subjects: readonly string[]
  /** Credentials that were used. */
  spentCredentials: string[]
  /** The one browser, and the sign-ins with Google that were ever begun in it. */
  jar: CookieJar
  flows: { state: string; nonce: string; startedAtMs: number; isOver: boolean }[]
  call: CallWorld
  nowMs(): number
  /** Calls, and asserts that the document knows the answer and that it is this error or status. */
  ask(route: string, expected: string | number, call?: Call): Promise<any>
  /** A protected call: refused wherever the token is dead by the model. */
  askAs(token: ModelToken, route: string, expected: string | number, call?: Call): Promise<any>
  /** The mails that a call caused, once none of the address is queued any more but what a pause holds back. */
  mailsAfter(email: string, act: () => Promise<unknown>): Promise<ReceivedMail[]>
}>

let lives = 0

/** A new world on a running service: nobody of another life is in it. */
export function newWorld(service: GoogleService, call: CallWorld): World {
  const life = ++lives
  const nowMs = () => service.clock.now()

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
      assert.equal(answer.body?.error?.code ?? answer.status, expected, `${route}: ${answer.text}`)
      assertDocumented(route, answer)
      return answer.body
    },
    askAs: (token, route, expected, options = {}) =>
      world.ask(route, isValid(token, nowMs()) ? expected : 'UNAUTHORIZED', { ...options, token: token.text }),
    async mailsAfter(email, act) {
      const before = service.smtp.mails.length
      await act()
      // What a pause holds back is due later, and no attempt was made at it.
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

/** One of a list, by any number; `undefined` where it is empty. */
export function pick<T>(list: readonly T[], number: number): T | undefined {
  return list[number % Math.max(1, list.length)]
}

/** A key of an account by any number, and what a wrong id stands for. */
export function pickKey(account: ModelAccount, number: number): ModelKey | undefined {
  return pick(account.keys, number)
}

/** The token behind the `#token=` or `?token=` of a link in a mail. */
export function tokenIn(mail: ReceivedMail, holding: string): string {
  return /token=([\w-]+)/.exec(linkIn(mail, holding).href)?.[1] ?? ''
}

/** How many of these tell that an account was made: a notice about one before, its keys for example, may be late. */
export function signupNoticesIn(mails: readonly ReceivedMail[]): number {
  return mails.filter(({ message }) => message.subject?.includes('account')).length
}

/** Adds a token to the world. */
export function keepToken(
  world: World,
  text: string,
  about: Omit<ModelToken, 'text' | 'version' | 'issuedAtMs' | 'expiresAtMs'>,
  lifetimeSeconds: number,
): void {
  const issuedAtMs = Math.floor(world.nowMs() / 1000) * 1000
  const expiresAtMs = issuedAtMs + lifetimeSeconds * 1000
  world.tokens.push({ ...about, text, version: about.account.version, issuedAtMs, expiresAtMs })
}
