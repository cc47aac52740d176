import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../support/http/answers.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { queryDatabase, serveIn, skipsSeveral } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'

const ROUNDS = 12
const CALLS = 200
const PROCESSES = skipsSeveral ? 1 : 2

describe('every process of one database', () => {
  const folder = temporaryFolder()
  const instances: Served[] = []
  let smtp: SmtpStandIn
  let publicUrl: string
  before(async () => {
    smtp = await startSmtp()
    publicUrl = `http://127.0.0.1:${await freePort()}`
    for (let n = 0; n < PROCESSES; n++) instances.push(await start())
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

  /**
   * Makes `calls` calls with one link, spread over all processes.
   * @returns the statuses, and the tokens they issued
   */
  async function race(link: string, calls: number) {
    // On a busy machine some calls time out waiting for the link's row and get 503.
    const callUntilDecided = async (n: number) => {
      for (;;) {
        const answer = await instanceOf(n).call(`GET /auth/verify?token=${link}`)
        if (answer.status !== 503) return answer
      }
    }
    const answers = await Promise.all(Array.from({ length: calls }, (_, n) => callUntilDecided(n)))
    const [won, lost] = [answers.filter(({ status }) => status === 200), answers.filter(({ status }) => status !== 200)]
    for (const answer of lost) assertError(answer, 'LINK_INVALID')
    return won.map(({ body }) => String(body.token))
  }

  const usersOf = async (email: string) => {
    const [{ n }] = await queryDatabase(folder.path, 'select count(*) as n from users where email = ?', email)
    return n
  }

  test(`of ${CALLS} concurrent calls with one link, over all, exactly one signs in [GHSA-hc7v-rggr-4hvx, M4]`, async () => {
    const link = await mailedToken('all@example.com')
    const tokens = await race(link, CALLS)
    assert.equal(tokens.length, 1)
    for (const { call } of instances) {
      assert.equal((await call('GET /users/me', { token: tokens[0] ?? '' })).status, 200, 'on every process')
    }
    assert.equal(await usersOf('all@example.com'), 1)
  })

  test(`the same holds in each of ${ROUNDS} rounds, on new and on existing accounts [M4]`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const email = `round${round % (ROUNDS / 2)}@example.com`
      assert.equal((await race(await mailedToken(email), 20)).length, 1, `round ${round}`)
      assert.equal(await usersOf(email), 1)
    }
  })

  test('a link used before all processes are killed stays used up after their restart [M4]', async () => {
    const links: string[] = []
    for (let n = 0; n < 5; n++) links.push(await mailedToken(`killed${n}@example.com`))
    for (const link of links) assert.equal((await race(link, 1)).length, 1)
    const unused = await mailedToken('unused@example.com')
    for (const { process } of instances) process.kill('SIGKILL')
    for (const { process } of instances) assert.equal((await process.exited).signal, 'SIGKILL')
    instances.length = 0
    for (let n = 0; n < PROCESSES; n++) instances.push(await start())
    for (const link of links) assert.deepEqual(await race(link, 4), [])
    assert.equal((await race(unused, 20)).length, 1, 'an unused link still works, once')
  })
})
