/** One link, many calls, two processes, a kill -9: it signs in once, ever. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../support/http/answers.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { queryBeside, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'

const ROUNDS = 12
const CALLS = 200

describe('two processes with one database', () => {
  const folder = temporaryFolder()
  const instances: Served[] = []
  let smtp: SmtpStandIn
  let publicUrl: string
  before(async () => {
    smtp = await startSmtp()
    publicUrl = `http://127.0.0.1:${await freePort()}`
    for (let n = 0; n < 2; n++) instances.push(await start())
  })
  after(async () => {
    for (const { process } of instances) process.kill('SIGKILL')
    await smtp.close()
    folder.remove()
  })

  const instanceOf = (n: number) => instances[n % instances.length] as Served
  const start = () => serveIn(folder.path, { PUBLIC_URL: publicUrl, SMTP_URL: smtp.url })

  async function mailedToken(email: string): Promise<string> {
    const asked = await instanceOf(0).call('POST /auth/request', { body: { email } })
    assert.equal(asked.status, 200)
    return /token=([\w-]+)/.exec((await smtp.mailTo(email)).message.text ?? '')?.[1] ?? ''
  }

  /** The statuses of so many calls with one link, spread over all processes, and the tokens they gave. */
  async function race(link: string, calls: number) {
    // On a busy machine some wait for the link's row for too long, and are told to come again.
    const untilDecided = async (n: number) => {
      for (;;) {
        const answer = await instanceOf(n).call(`GET /auth/verify?token=${link}`)
        if (answer.status !== 503) return answer
      }
    }
    const answers = await Promise.all(Array.from({ length: calls }, (_, n) => untilDecided(n)))
    const [won, lost] = [answers.filter(({ status }) => status === 200), answers.filter(({ status }) => status !== 200)]
    for (const answer of lost) assertError(answer, 'LINK_INVALID')
    return won.map(({ body }) => String(body.token))
  }

  const usersOf = async (email: string) => {
    const [{ n }] = await queryBeside(folder.path, 'select count(*) as n from users where email = ?', email)
    return n
  }

  test(`of ${CALLS} calls at once with one link, over both, exactly one signs in [GHSA-hc7v-rggr-4hvx, M4]`, async () => {
    const link = await mailedToken('all@example.com')
    const tokens = await race(link, CALLS)
    assert.equal(tokens.length, 1)
    for (const { call } of instances) {
      assert.equal((await call('GET /users/me', { token: tokens[0] ?? '' })).status, 200, 'on either process')
    }
    assert.equal(await usersOf('all@example.com'), 1)
  })

  test(`and so in each of ${ROUNDS} rounds, on new accounts and on known ones [M4]`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const email = `round${round % (ROUNDS / 2)}@example.com`
      assert.equal((await race(await mailedToken(email), 20)).length, 1, `round ${round}`)
      assert.equal(await usersOf(email), 1)
    }
  })

  test('a link that was used when the processes were killed is used up when they are back [M4]', async () => {
    const links: string[] = []
    for (let n = 0; n < 5; n++) links.push(await mailedToken(`killed${n}@example.com`))
    for (const link of links) assert.equal((await race(link, 1)).length, 1)
    const unused = await mailedToken('unused@example.com')
    for (const { process } of instances) process.kill('SIGKILL')
    for (const { process } of instances) assert.equal((await process.exited).signal, 'SIGKILL')
    instances.length = 0
    for (let n = 0; n < 2; n++) instances.push(await start())
    for (const link of links) assert.deepEqual(await race(link, 4), [])
    assert.equal((await race(unused, 20)).length, 1, 'and one that was not used works, once')
  })
})
