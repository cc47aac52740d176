/** One user of a soak: acts continuously, remembers every answer, and checks the next ones against it. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Answer, Call } from '../support/http/call.ts'
import { pick } from './seeded.ts'

export type World = Readonly<{
  /** Calls the service; `undefined`: the answer was lost, so the outcome is unknown. */
  send(route: string, call: Call, isCut?: boolean): Promise<Answer | undefined>
  violate(what: string): void
  count(what: string): void
  faults(): number
  linksTo(address: string): readonly string[]
  /** Adds a secret that no log may contain. */
  hide(secret: string): void
  random(): number
  isOver(): boolean
}>

/** `perhaps`: unknown since an answer was lost. A dead credential stays dead. */
type State = 'live' | 'perhaps' | 'dead'
type Key = { id: string; keyId: string; keySecret: string; maker: Key | undefined; state: State }
type More = { headers?: Record<string, string>; isCut?: boolean }
type Token = { text: string; key: Key | undefined; state: State }

/** The expected status of a call that needs a person's token. */
const forPersons = ({ key }: Token): number => (key === undefined ? 200 : 403)

/** The expected status of acting on a key: a key's token may act on itself and on keys it made, transitively. */
function forActingOn(target: Key): (bearer: Token) => number {
  return (bearer) => {
    for (let key: Key | undefined = target; key !== undefined; key = key.maker) if (key === bearer.key) return 200
    return forPersons(bearer)
  }
}

/** Below the service's limit, to leave room for keys whose answer was lost. */
const MAX_KEYS = 12
const KEY_LIMIT = 25
const PAUSE_MS = 30

/** Uses one account, whose address it proves first. */
export class SoakUser {
  readonly #world: World
  readonly #email: string
  #id: string | undefined
  #names = new Set<string | null>([null])
  readonly #cutNames: string[] = []
  readonly #keys: Key[] = []
  readonly #tokens: Token[] = []
  readonly #sold = new Set<string>()
  #asked = { mails: 0, requests: 0, faults: 0 }

  constructor(world: World, email: string) {
    this.#world = world
    this.#email = email
  }

  async live(): Promise<void> {
    const acts = [
      () => this.#look(),
      () => this.#look(),
      () => this.#look(),
      () => this.#exchange(),
      () => this.#exchange(),
      () => this.#createKey(),
      () => this.#revokeKey(),
      () => this.#rename(),
      () => this.#sell(),
      () => this.#list(),
      () => this.#signUpProgram(),
      () => (this.#world.random() < 0.2 ? this.#signIn() : this.#look()),
      () => (this.#world.random() < 0.1 ? this.#signOut() : this.#look()),
    ]
    while (!this.#world.isOver()) {
      if (this.#bearer() === undefined) await this.#signIn()
      else await pick(this.#world.random, acts)?.()
      await wait(this.#world.random() * PAUSE_MS)
    }
  }

  /** Checks every credential and payment link once more. */
  async lookAgain(): Promise<void> {
    for (const token of this.#tokens) await this.#look(token)
    for (const key of this.#keys) await this.#exchange(key)
    await this.#list()
    await this.#countMails()
  }

  #bearer(): Token | undefined {
    return this.#tokens.findLast(({ state }) => state === 'live')
  }

  // Checks that the state allows the answer, and updates the state.
  #settle(what: string, thing: { state: State }, accepted: boolean): void {
    const isWrong = accepted ? thing.state === 'dead' : thing.state === 'live'
    if (isWrong)
      this.#world.violate(`${this.#email}: ${what} that is ${thing.state} was ${accepted ? 'accepted' : 'refused'}`)
    thing.state = accepted ? 'live' : 'dead'
  }

  /** A call as this user; `undefined` if the outcome is unknown, the call was refused for now, or the token is dead. */
  async #act(route: string, expectedOf: number | ((bearer: Token) => number), body?: unknown, more: More = {}) {
    const bearer = this.#bearer()
    if (bearer === undefined) return undefined
    const expected = typeof expectedOf === 'number' ? expectedOf : expectedOf(bearer)
    const call = { token: bearer.text, headers: more.headers ?? {}, ...(body === undefined ? {} : { body }) }
    const answer = await this.#world.send(route, call, more.isCut)
    if (answer === undefined || answer.status === 503) return undefined
    if (answer.status === 401) this.#settle('a token', bearer, false)
    else if (answer.status !== expected)
      this.#world.violate(`${this.#email}: ${route}: ${answer.status} ${answer.text}`)
    return answer.status === expected ? { ...answer, bearer } : undefined
  }

  #take(text: string, key?: Key): void {
    this.#world.hide(text)
    this.#tokens.push({ text, key, state: 'live' })
    // Some dead tokens are kept, to check that they stay dead.
    if (this.#tokens.length > 40) this.#tokens.splice(0, 1)
  }

  async #look(token = pick(this.#world.random, this.#tokens)): Promise<void> {
    if (token === undefined) return
    const answer = await this.#world.send('GET /users/me', { token: token.text })
    if (answer === undefined || answer.status === 503) return
    this.#settle('a token', token, answer.status === 200)
    if (answer.status !== 200) return
    const { id, email, name } = answer.body.user
    if (email !== this.#email || id !== (this.#id ??= id))
      this.#world.violate(`${this.#email} has a second account, ${email} ${id}`)
    if (!this.#names.has(name)) this.#world.violate(`${this.#email}: the name ${name} is lost or was never given`)
  }

  async #rename(): Promise<void> {
    const name = randomUUID()
    this.#names.add(name)
    const isDone = await this.#act('PATCH /users/me', 200, { name }, { isCut: this.#world.random() < 0.2 })
    // A rename whose connection was cut may still take effect after this one.
    if (isDone) this.#names = new Set([name, ...this.#cutNames.splice(0)])
    else this.#cutNames.push(name)
  }

  async #exchange(key = pick(this.#world.random, this.#keys)): Promise<void> {
    if (key === undefined) return
    const { keyId, keySecret } = key
    const answer = await this.#world.send('POST /auth/api/token', { body: { keyId, keySecret } })
    if (answer === undefined || answer.status === 503) return
    this.#settle('a key', key, answer.status === 200)
    if (answer.status === 200) this.#take(answer.body.token, key)
  }

  async #createKey(): Promise<void> {
    if (this.#keys.filter(({ state }) => state !== 'dead').length >= MAX_KEYS) return
    const answer = await this.#act('POST /auth/api-keys', 201, { name: 'kept' })
    if (answer === undefined) return
    const {
      apiKey: { id, keyId },
      keySecret,
    } = answer.body
    this.#world.hide(keySecret)
    this.#keys.push({ id, keyId, keySecret, maker: answer.bearer.key, state: 'live' })
    if (this.#keys.length > 30)
      this.#keys.splice(
        this.#keys.findIndex(({ state }) => state === 'dead'),
        1,
      )
  }

  async #revokeKey(
    key = pick(
      this.#world.random,
      this.#keys.filter(({ state }) => state === 'live'),
    ),
  ): Promise<void> {
    if (key === undefined) return
    const answer = await this.#act(`POST /auth/api-keys/${key.id}/revoke`, forActingOn(key))
    if (answer?.status === 403) return
    for (const thing of [key, ...this.#tokens.filter((token) => token.key === key)]) {
      if (answer) thing.state = 'dead'
      else if (thing.state === 'live') thing.state = 'perhaps'
    }
  }

  async #signOut(): Promise<void> {
    const answer = await this.#act('POST /auth/tokens/revoke', forPersons)
    if (answer?.status === 403) return
    for (const token of this.#tokens) {
      if (answer) token.state = 'dead'
      else if (token.state === 'live') token.state = 'perhaps'
    }
  }

  // Checks keys and payment links too: each acknowledged one exists once, and live keys are within the limit.
  async #list(): Promise<void> {
    const listed = await this.#act('GET /auth/api-keys', 200)
    for (const key of listed === undefined ? [] : this.#keys) {
      const found = listed?.body.apiKeys.find(({ id }: Key) => id === key.id)
      if (found === undefined) this.#world.violate(`${this.#email}: key ${key.id} is lost`)
      else this.#settle('a listed key', key, found.status === 'ACTIVE')
    }
    const live = listed?.body.apiKeys.filter(({ status }: any) => status === 'ACTIVE') ?? []
    if (live.length > KEY_LIMIT) this.#world.violate(`${this.#email} has ${live.length} live keys`)
    // Keys whose answer was lost.
    for (const { id } of live)
      if (!this.#keys.some((key) => key.id === id)) await this.#act(`POST /auth/api-keys/${id}/revoke`, forPersons)

    const sold: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await this.#act(`GET /payment-links?limit=100${cursor && `&cursor=${cursor}`}`, 200)
      if (page === undefined) return
      sold.push(...page.body.paymentLinks.map(({ title }: any) => title))
      cursor = page.body.nextCursor ?? null
    }
    if (new Set(sold).size !== sold.length) this.#world.violate(`${this.#email}: a payment link exists twice`)
    for (const title of this.#sold)
      if (!sold.includes(title)) this.#world.violate(`${this.#email}: payment link ${title} is lost`)
  }

  // Retries a lost answer with the same Idempotency-Key.
  async #sell(): Promise<void> {
    const title = randomUUID()
    for (let tries = 0; tries < 2; tries += 1) {
      const more = { headers: { 'idempotency-key': title }, isCut: tries === 0 && this.#world.random() < 0.3 }
      if (await this.#act('POST /payment-links', 201, { title, amount: 100 }, more)) return void this.#sold.add(title)
    }
  }

  async #signUpProgram(): Promise<void> {
    const email = `${randomUUID()}@program.example`
    const answer = await this.#world.send('POST /auth/api/signup', { body: { email } })
    if (answer === undefined || answer.status === 503) return
    if (answer.status !== 201) return this.#world.violate(`signup: ${answer.status} ${answer.text}`)
    for (const secret of [answer.body.token, answer.body.keySecret]) this.#world.hide(secret)
    const again = await this.#world.send('POST /auth/api/signup', { body: { email } })
    if (![undefined, 409, 503].includes(again?.status))
      this.#world.violate(`a second account for one address: ${again?.status}`)
  }

  async #signIn(): Promise<void> {
    await this.#countMails()
    this.#asked = {
      mails: this.#world.linksTo(this.#email).length,
      requests: this.#asked.requests + 1,
      faults: this.#world.faults(),
    }
    const asked = await this.#world.send('POST /auth/request', { body: { email: this.#email } })
    if (asked === undefined || asked.status === 503) return
    for (let tries = 0; this.#world.linksTo(this.#email).length === this.#asked.mails; tries += 1) {
      if (this.#world.isOver()) return
      // The lease of a dead process ends after 30 seconds; then a mail is retried within another 30 seconds at most.
      if (tries > 4500) return this.#world.violate(`${this.#email}: an acknowledged mail did not arrive`)
      await wait(20)
    }
    const link = this.#world.linksTo(this.#email).at(-1) ?? ''
    const verified = await this.#world.send(`GET /auth/verify?token=${link}`, {})
    if (verified === undefined || verified.status === 503) return
    // A fault may have sent a second mail; its link is valid too, because nothing has voided it.
    if (verified.status !== 200) return this.#world.violate(`${this.#email}: a fresh link is ${verified.status}`)
    this.#take(verified.body.token)
    const again = await this.#world.send(`GET /auth/verify?token=${link}`, {})
    if (again?.status === 200) this.#world.violate(`${this.#email}: a link signed in twice`)
  }

  // Decision 0003: a second mail only after an unknown outcome, so at most one more per fault.
  async #countMails(): Promise<void> {
    const { mails, requests, faults } = this.#asked
    if (requests === 0) return
    const came = this.#world.linksTo(this.#email).length - mails
    const allowed = 1 + this.#world.faults() - faults
    if (came > allowed)
      this.#world.violate(`${this.#email}: ${came} mails for a request, with ${allowed - 1} faults since`)
  }
}
