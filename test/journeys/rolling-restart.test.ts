import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { clusterUrl } from '../support/database/database.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { lockDatabase, queryDatabase, serveIn, skipsSeveral } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { startSmtp } from '../support/mail/smtp.ts'
import { stopwatch } from '../support/process/stopwatch.ts'

const CLIENTS = 12
const DRAINED_WITHIN_MS = 10_000

type Reply = Readonly<{ status: number; body: any; isLast: boolean }>

/** Makes one call; `undefined` if the connection was refused, or closed before the request was taken. */
function call(agent: Agent, origin: string, method: string, path: string, more: { token?: string; body?: unknown }) {
  return new Promise<Reply | undefined>((resolve, reject) => {
    const { token, body } = more
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    const sent = request(`${origin}/api/v1${path}`, { agent, method, headers }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers: answered } = response
        resolve({ status, body: JSON.parse(text), isLast: answered.connection === 'close' })
      })
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // If nothing listens, or an idle connection closes while the next request is being sent, the request was not
      // taken (RFC 9112, section 9.3.1). If it had been, the repeated signup would get 409.
      if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(error.code ?? '')) resolve(undefined)
      else reject(error)
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Sends a part of a signup; the returned function sends the rest and returns the status. */
async function beginSignup(origin: string, email: string): Promise<() => Promise<number>> {
  const body = JSON.stringify({ email })
  const headers = { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' }
  const sent = request(`${origin}/api/v1/auth/api/signup`, { method: 'POST', headers })
  sent.flushHeaders()
  await once(sent, 'continue')
  return async () => {
    const answered = once(sent, 'response')
    sent.end(body)
    const [response] = (await answered) as [IncomingMessage]
    response.resume()
    return response.statusCode ?? 0
  }
}

/** A client that ends before the test does has failed. */
async function ended(client: Promise<void>): Promise<never> {
  await client
  throw new Error('a client ended')
}

test(
  'two processes are replaced under load: every request is answered once, and the old processes exit cleanly [F3]',
  { skip: skipsSeveral },
  async (t) => {
    const folder = temporaryFolder()
    const smtp = await startSmtp()
    const ports = [String(await freePort()), String(await freePort())]
    const env = { PUBLIC_URL: `http://127.0.0.1:${ports[0]}`, SMTP_URL: smtp.url }
    const start = (index: number) => serveIn(folder.path, { ...env, PORT: ports[index] ?? '' })
    const instances: Served[] = [await start(0), await start(1)]
    const over = new AbortController()
    t.after(async () => {
      over.abort()
      for (const { process } of instances) process.kill('SIGKILL')
      await smtp.close()
      folder.remove()
    })

    const signedUp: string[] = []
    const unknownOutcomes = new Set<string>()
    const stoppedAtMs = [Infinity, Infinity]
    const calls = { pending: 0, repeated: 0 }
    /** Acts as a balancer's connection: it moves on when an instance announces that it closes, or refuses. */
    async function runClient(client: number): Promise<void> {
      const agents = [new Agent({ keepAlive: true, maxSockets: 1 }), new Agent({ keepAlive: true, maxSockets: 1 })]
      let to = client % 2
      const reach = async (method: string, path: string, more: { token?: string; body?: unknown }) => {
        for (let tries = 0; tries < 20_000; tries++) {
          const sentAtMs = performance.now()
          calls.pending += 1
          const reply = await call(agents[to] as Agent, instances[to]?.origin ?? '', method, path, more)
          calls.pending -= 1
          if (reply === undefined) assert.ok(sentAtMs > (stoppedAtMs[to] ?? 0), 'a call in flight is answered')
          if (reply === undefined || reply.isLast) to = 1 - to
          if (reply !== undefined && (reply.status !== 503 || method === 'POST')) return reply
          calls.repeated += 1
          await wait(5)
        }
        throw new Error('nobody listens')
      }
      for (let n = 0; !over.signal.aborted; n++) {
        const email = `n${n}@client${client}.example`
        const { status, body } = await reach('POST', '/auth/api/signup', { body: { email } })
        // On a busy machine the lock is held longer than the statement timeout; whether the signup was written is
        // unknown.
        if (status === 503 && clusterUrl !== undefined) {
          unknownOutcomes.add(email)
          continue
        }
        assert.equal(status, 201, JSON.stringify(body))
        signedUp.push(email)
        const me = await reach('GET', '/users/me', { token: body.token })
        assert.equal(me.body.user?.email, email, JSON.stringify(me.body))
      }
      for (const agent of agents) agent.destroy()
    }
    const clients = Array.from({ length: CLIENTS }, (_, client) => runClient(client))
    const untilMore = async (count: number) => {
      for (const until = signedUp.length + count; signedUp.length < until;) await Promise.race([wait(5), ...clients])
    }

    await untilMore(30)
    for (const index of [0, 1]) {
      const old = instances[index] as Served
      const slow = Array.from({ length: 5 }, (_, n) => `slow${n}@instance${index}.example`)
      const finishes = await Promise.all(slow.map((email) => beginSignup(old.origin, email)))
      // While the database is locked, every client's call is in flight: taken, or waiting in the socket.
      const holder = await lockDatabase(folder.path)
      for (let earlier = -1; calls.pending < CLIENTS || earlier !== signedUp.length;) {
        earlier = signedUp.length
        await Promise.race([wait(100), ...clients])
      }
      stoppedAtMs[index] = performance.now()
      const drainedMs = stopwatch(old.process)
      old.process.kill('SIGTERM')
      await holder.release()
      await wait(100)
      assert.deepEqual(
        await Promise.all(finishes.map((finish) => finish())),
        slow.map(() => 201),
      )
      signedUp.push(...slow)
      const { code, output } = await Promise.race([old.process.exited, ...clients.map(ended)])
      assert.equal(code, 0, output)
      assert.ok(drainedMs() < DRAINED_WITHIN_MS)
      assert.doesNotMatch(output, /"level":[56]0(?!.*"msg":"UNAVAILABLE")/)
      await untilMore(30)
      instances[index] = await start(index)
      stoppedAtMs[index] = Infinity
      await untilMore(30)
    }
    over.abort()
    await Promise.all(clients)

    const stored = (await queryDatabase(folder.path, 'select email from users'))
      .map(({ email }) => String(email))
      .filter((email) => !unknownOutcomes.has(email))
    assert.deepEqual(stored.toSorted(), signedUp.toSorted(), 'no unacknowledged account, and none lost')
    t.diagnostic(`${signedUp.length} signups, ${calls.repeated} calls repeated at the other process`)
  },
)
