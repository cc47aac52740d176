/** Hours of an attack on one mailbox: what arrived when, and whether its owner could still sign in. */
import assert from 'node:assert/strict'
import { from, productionLimits } from '../http/limits.ts'
import { verify } from './links.ts'
import { startService } from '../service.ts'
import { until } from '../until.ts'
import type { Service } from '../service.ts'
import { linkIn } from './smtp.ts'
import type { ReceivedMail } from './smtp.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Production limits per mailbox, and an attacker whom no network limit holds. */
export const withoutNetworkLimits: Readonly<Record<string, string>> = {
  ...productionLimits,
  RATE_LIMIT_REQUEST_REPEAT: '100000/1s',
  RATE_LIMIT_REQUEST_ADDRESS_CLIENT: '100000/1s',
  RATE_LIMIT_REQUEST_CLIENT: '100000/1s',
  RATE_LIMIT_SIGNUP_HOUR: '100000/1h',
  RATE_LIMIT_SIGNUP_DAY: '100000/1d',
  RATE_LIMIT_LEAK_REPORTS: '100000/1s',
}

/** A mail and its time of arrival by the test's clock. */
export type Arrived = Readonly<{ atMs: number; mail: ReceivedMail }>

/** One step of the attacker; `n` counts all steps. */
export type Step = (service: Service, n: number) => Promise<unknown>

/** An IPv4 address in a network of its own for each `n`. */
export const network = (n: number) => `${11 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.7`

export const ask = (service: Service, email: string, address: string, redirectTo?: string) =>
  service.call('POST /auth/request', { body: { email, redirectTo }, headers: from(address) })

export async function settle({ db, clock, deps, isSending }: Service): Promise<void> {
  const isBusy = () =>
    db.query.selectFrom('queued_mails').select('id').where('due_at_ms', '<=', clock.now()).executeTakeFirst()
  // Once: the clock has moved since the queue last looked, and it looks again after each mail.
  deps.mailer.wake()
  await until(async () => !(await isBusy()) && !isSending(), 'no mail is due')
}

/**
 * An attack of hours, by default of one hour with one step a minute. The owner requests a link every four minutes, each
 * time from a network not used before.
 * @param options `owner`: an address with an account, or an unproven one if `isProven` is false
 */
export async function attack(
  step: Step,
  options: Readonly<{
    owner: string
    hours?: number
    stepsAMinute?: number
    isProven?: boolean
    env?: Record<string, string>
    linkAgeMs?: number
    others?: readonly string[]
  }>,
): Promise<Readonly<{ mailsByHour: number[]; arrived: readonly Arrived[] }>> {
  const { owner, hours = 1, stepsAMinute = 1, isProven = true } = options
  const { env = {}, linkAgeMs = 5 * MINUTE_MS, others = [] } = options
  const service = await startService({ ...withoutNetworkLimits, ...env })
  try {
    for (const email of isProven ? [owner, ...others] : []) await service.signIn(email)
    await settle(service)
    // So that the owner's own mails do not count.
    service.clock.advance(HOUR_MS)
    const startMs = service.clock.now()
    const arrived: Arrived[] = []
    let seen = service.smtp.mails.length
    const collect = async () => {
      await settle(service)
      for (; seen < service.smtp.mails.length; seen += 1) {
        arrived.push({ atMs: service.clock.now(), mail: service.smtp.mails[seen] as ReceivedMail })
      }
    }
    const newestLinkTo = (email: string) =>
      arrived.findLast(({ mail }) => mail.to.includes(email) && /auth\/verify\?/.test(mail.message.text ?? ''))

    for (let n = 0; n < hours * 60 * stepsAMinute; n += 1) {
      if (n > 0) service.clock.advance(MINUTE_MS / stepsAMinute)
      await step(service, n)
      const isOwnersTurn = n % (4 * stepsAMinute) === 3
      const asked = isOwnersTurn ? await ask(service, owner, network(1_000_000 + n)) : undefined
      await collect()
      if (asked !== undefined) {
        assert.ok([200, 429].includes(asked.status))
        const newest = newestLinkTo(owner)
        const ageMs = newest === undefined ? Infinity : service.clock.now() - newest.atMs
        assert.ok(
          ageMs <= linkAgeMs,
          `the owner's newest link is ${ageMs / 1000} s old after ${n / stepsAMinute} minutes; the request was answered ${asked.status}`,
        )
        const token = linkIn((newest as Arrived).mail, '/auth/verify?').searchParams.get('token')
        const looked = await service.call('POST /auth/links/inspect', { body: { token } })
        assert.equal(looked.status, 200, 'the link is live')
      }
    }
    const link = linkIn((newestLinkTo(owner) as Arrived).mail, '/auth/verify?').searchParams.get('token') ?? ''
    const signedIn = await verify(service, link)
    assert.equal(signedIn.status, 200)
    const me = await service.call('GET /users/me', { token: signedIn.body.token })
    assert.equal(me.body.user.email, owner, "the link signs in to the owner's account")

    // Every spelling that is asked for is of the owner's mailbox.
    const mailsByHour = Array.from(
      { length: hours },
      (_, hour) => arrived.filter(({ atMs }) => Math.floor((atMs - startMs) / HOUR_MS) === hour).length,
    )
    return { mailsByHour, arrived }
  } finally {
    await service.close()
  }
}

/** Fails if a mailbox got more than 17 mails in the first hour, or 12 in a later one. */
export function assertBounded(mailsByHour: readonly number[]): void {
  for (const [hour, mails] of mailsByHour.entries()) {
    assert.ok(mails <= (hour === 0 ? 17 : 12), `${mails} mails in hour ${hour + 1}: ${mailsByHour.join(', ')}`)
  }
}
