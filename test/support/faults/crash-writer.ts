/** A client that writes without pause until its connection breaks, and logs every outcome. */
import { Agent, request } from 'node:http'
import { randomUUID } from 'node:crypto'
import type { Entry, Outcome, Timed } from './crash-history.ts'

type Reply = Readonly<{ status: number; body: any; port: number; endedNs: number }> | undefined
type Key = Readonly<{ account: string; key: string; id: string; keyId: string; keySecret: string }>
type Token = Readonly<{ account: string; token: string }>

/** The links that have arrived by mail so far, by address. */
export type Mailbox = Readonly<{ linksTo(address: string): readonly string[] }>

const nowNs = () => Number(process.hrtime.bigint())

/** Makes one call at a time, so that its log is in order. */
export class CrashWriter {
  readonly log: (Entry & Timed)[] = []
  readonly #port: number
  readonly #mailbox: Mailbox
  /** Seeded and from 0 to below 1, so that a failure can be reproduced. */
  readonly #random: () => number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 2 })
  #account = ''
  #token = ''
  #keys: Key[] = []
  /** Of all accounts of this writer, earlier ones included. */
  readonly #everyKey: Key[] = []
  readonly #everyToken: Token[] = []
  readonly #links: string[] = []
  #beganNs = 0
  #endedNs = 0
  #localPort = 0
  #isCut = false

  constructor(port: number, mailbox: Mailbox, random: () => number) {
    this.#port = port
    this.#mailbox = mailbox
    this.#random = random
  }

  /** Writes until a connection breaks because the service was killed, or until `isEnough`. */
  async writeUntilCut(isEnough = () => false): Promise<void> {
    this.#isCut = false
    const operations = [
      () => this.#signUp(),
      () => this.#rename(),
      () => this.#createKey(),
      () => this.#createKey(),
      () => this.#revokeKey(),
      () => this.#revokeNewKey(),
      () => this.#revokeNewKey(),
      () => this.#exchange(),
      () => this.#useToken(),
      () => this.#revokeTokens(),
      () => this.#requestLink(),
      () => this.#requestLink(),
      () => this.#useLink(),
      () => this.#useLink(),
    ]
    while (!isEnough() && !this.#isCut) await this.#pick(operations)?.()
  }

  /** Uses every credential once more on a running service, which settles the unknown outcomes. */
  async lookAgain(): Promise<void> {
    // Tokens first: an exchange creates new ones.
    for (const { account, token } of this.#everyToken) {
      this.#account = account
      this.#token = token
      await this.#useToken()
    }
    for (const key of this.#everyKey) {
      this.#account = key.account
      await this.#exchange(key)
    }
    for (const link of this.#links) await this.#use(link)
    this.#agent.destroy()
  }

  #pick<T>(choices: readonly T[]): T | undefined {
    return choices[Math.floor(this.#random() * choices.length)]
  }

  async #call(method: string, path: string, body?: unknown): Promise<Reply> {
    const beganNs = nowNs()
    return this.#time(beganNs, await this.#send(method, path, body))
  }

  /**
   * Makes two equal calls at once. One of them changes nothing, but its answer must be as durable.
   * @param telling the statuses that acknowledge the change; the first such answer counts
   */
  async #callTwice(telling: readonly number[], method: string, path: string, body?: unknown): Promise<Reply> {
    const beganNs = nowNs()
    const [one, other] = await Promise.all([this.#send(method, path, body), this.#send(method, path, body)])
    const replies = [one, other]
    const success = replies.find((reply) => reply?.status === 200)
    // A refusal next to a lost answer may be the refusal of the second call.
    if (success === undefined && (one === undefined || other === undefined)) return this.#time(beganNs, undefined)
    const [first] = replies
      .filter((reply) => reply !== undefined && telling.includes(reply.status))
      .toSorted((a, b) => (a?.endedNs ?? 0) - (b?.endedNs ?? 0))
    this.#time(beganNs, first ?? one)
    return success ?? one
  }

  #time(beganNs: number, reply: Reply): Reply {
    this.#beganNs = beganNs
    this.#endedNs = reply?.endedNs ?? nowNs()
    this.#localPort = reply?.port ?? 0
    return reply
  }

  #record(entry: Entry): void {
    this.log.push({ ...entry, beganNs: this.#beganNs, endedNs: this.#endedNs, port: this.#localPort })
  }

  #send(method: string, path: string, body: unknown): Promise<Reply> {
    return new Promise((resolve) => {
      const cut = () => {
        this.#isCut = true
        resolve(undefined)
      }
      const sent = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          method,
          path: `/api/v1${path}`,
          agent: this.#agent,
          headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#token}` },
        },
        (response) => {
          const port = response.socket.localPort ?? 0
          let text = ''
          response.on('data', (chunk) => void (text += chunk))
          // A truncated body is an unknown outcome, although the status has arrived.
          response.on('close', () => {
            if (!response.complete) return cut()
            // A database that is too slow answers this, on a busy machine too, whatever becomes of the call.
            if (response.statusCode === 503) return resolve(undefined)
            resolve({ status: response.statusCode ?? 0, body: JSON.parse(text), port, endedNs: nowNs() })
          })
        },
      )
      sent.on('error', cut)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  #outcome(reply: Reply, success: number, refusal?: number): Outcome {
    if (reply === undefined) return 'unknown'
    if (reply.status === success) return 'done'
    if (reply.status === refusal) return 'refused'
    throw new Error(`answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  }

  /** Logs a call that used the token: a 401 says that the token is dead and the call had no effect. */
  #note(entry: Entry): Outcome {
    const { account } = this.#place()
    if (entry.outcome === 'refused') {
      this.#record({ op: 'use-token', account, token: this.#token, outcome: 'refused' })
    } else {
      this.#record(entry)
    }
    return entry.outcome
  }

  #place(): { account: string } {
    return { account: this.#account }
  }

  async #signUp(): Promise<Outcome> {
    const account = `${randomUUID()}@signup.example`
    const reply = await this.#call('POST', '/auth/api/signup', { email: account })
    const outcome = this.#outcome(reply, 201)
    this.#record({ op: 'signup', account, outcome })
    if (reply === undefined) return outcome
    const { apiKey, keySecret, token } = reply.body
    this.#account = account
    this.#keys = []
    this.#addKey(apiKey, keySecret)
    this.#takeToken(apiKey.keyId, token)
    return outcome
  }

  #addKey(apiKey: { id: string; keyId: string }, keySecret: string): void {
    const key = { ...this.#place(), key: apiKey.keyId, id: apiKey.id, keyId: apiKey.keyId, keySecret }
    this.#keys.push(key)
    this.#everyKey.push(key)
    this.#record({ op: 'create-key', ...this.#place(), key: key.key, outcome: 'done' })
  }

  #takeToken(key: string, token: string): void {
    this.#token = token
    this.#everyToken.push({ ...this.#place(), token })
    this.#record({ op: 'issue-token', ...this.#place(), key, token, outcome: 'done' })
  }

  async #rename(): Promise<Outcome> {
    if (this.#account === '') return 'refused'
    const name = randomUUID()
    const reply = await this.#callTwice([200], 'PATCH', '/users/me', { name })
    return this.#note({ op: 'rename', ...this.#place(), name, outcome: this.#outcome(reply, 200, 401) })
  }

  async #createKey(): Promise<Outcome> {
    if (this.#account === '' || this.#keys.length > 20) return 'refused'
    const reply = await this.#call('POST', '/auth/api-keys')
    const outcome = this.#outcome(reply, 201, 401)
    if (outcome === 'done') this.#addKey(reply?.body.apiKey, reply?.body.keySecret)
    // On an unknown outcome the secret is lost with the answer, so nobody can use the key.
    else if (outcome === 'refused') this.#note({ op: 'create-key', ...this.#place(), key: '', outcome })
    return outcome
  }

  // Not the key of the token, with which the second of two calls is refused.
  async #revokeNewKey(): Promise<Outcome> {
    const outcome = await this.#createKey()
    return outcome === 'done' ? this.#revokeKey(this.#keys.at(-1)) : outcome
  }

  async #revokeKey(key = this.#pick(this.#keys)): Promise<Outcome> {
    if (key === undefined) return 'refused'
    const reply = await this.#callTwice([200], 'POST', `/auth/api-keys/${key.id}/revoke`)
    const outcome = this.#outcome(reply, 200, 401)
    return this.#note({ op: 'revoke-key', ...this.#place(), key: key.key, outcome })
  }

  async #exchange(key = this.#pick(this.#keys)): Promise<Outcome> {
    if (key === undefined) return 'refused'
    const { keyId, keySecret } = key
    const reply = await this.#call('POST', '/auth/api/token', { keyId, keySecret })
    const outcome = this.#outcome(reply, 200, 401)
    this.#record({ op: 'exchange', ...this.#place(), key: key.key, outcome })
    if (outcome === 'done') this.#takeToken(key.key, reply?.body.token)
    return outcome
  }

  async #useToken(): Promise<Outcome> {
    if (this.#account === '') return 'refused'
    const outcome = this.#outcome(await this.#call('GET', '/users/me'), 200, 401)
    this.#record({ op: 'use-token', ...this.#place(), token: this.#token, outcome })
    return outcome
  }

  async #revokeTokens(): Promise<Outcome> {
    if (this.#account === '') return 'refused'
    const outcome = this.#outcome(await this.#call('POST', '/auth/tokens/revoke'), 200, 401)
    return this.#note({ op: 'revoke-tokens', ...this.#place(), outcome })
  }

  async #requestLink(): Promise<Outcome> {
    const account = `${randomUUID()}@link.example`
    const reply = await this.#call('POST', '/auth/request', { email: account })
    const outcome = this.#outcome(reply, 200)
    this.#record({ op: 'request-link', account, outcome })
    return outcome
  }

  async #useLink(): Promise<Outcome> {
    const asked = this.log.findLast((entry) => entry.op === 'request-link')?.account ?? ''
    const link = this.#pick(this.#mailbox.linksTo(asked))
    return link === undefined ? 'refused' : this.#use(link)
  }

  async #use(link: string): Promise<Outcome> {
    const outcome = this.#outcome(await this.#callTwice([200, 401], 'GET', `/auth/verify?token=${link}`), 200, 401)
    if (!this.#links.includes(link)) this.#links.push(link)
    this.#record({ op: 'use-link', account: '', link, outcome })
    return outcome
  }
}
