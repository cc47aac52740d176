/** However much strangers ask for, a mailbox gets at most 17 mails in the first hour and 12 in each later one. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { from } from '../../../support/http/limits.ts'
import { ask, assertBounded, attack, network } from '../../../support/mail/mail-flood.ts'
import type { Step } from '../../../support/mail/mail-flood.ts'
import type { Service } from '../../../support/service.ts'

const OWNER = 'ana@example.com'

/** Two calls in each step, numbered across all steps: seven times what a mailbox may get. */
const two =
  (call: (service: Service, n: number) => Promise<unknown>): Step =>
  (service, step) =>
    Promise.all(Array.from({ length: 2 }, (_, index) => call(service, 2 * step + index)))

const tag = (n: number) => `ana+${n}@example.com`
/** Four tagged addresses, then the owner's own. */
const anySpelling = (n: number) => (n % 5 === 0 ? OWNER : tag(n))
const signUp = (service: Service, email: string, address: string) =>
  service.call('POST /auth/api/signup', { body: { email }, headers: from(address) })

describe('a proven owner can sign in while strangers', () => {
  const attacks: Record<string, Step> = {
    'ask for +tags from one address': two((service, n) => ask(service, tag(n), '192.0.2.1')),
    'ask for the owner’s address from thousands of networks': two((service, n) => ask(service, OWNER, network(n))),
    'rotate the /64s of a /56 and those of a /48, over all spellings': two((service, n) =>
      ask(service, anySpelling(n), `2001:db8:1:${(n % 2 ? n % 256 : (n * 521) % 65_536).toString(16)}::1`),
    ),
    'have thousands of IPv4 networks, over all spellings': two((service, n) =>
      ask(service, anySpelling(n), network(n)),
    ),
    'sign up with +tags, and ask for them too': two((service, n) =>
      n % 2 === 0 ? signUp(service, tag(n), network(n)) : ask(service, n % 3 === 0 ? OWNER : tag(n - 1), network(n)),
    ),
  }
  for (const [what, step] of Object.entries(attacks)) {
    test(what, async (t) => {
      // One at twice the rate, and one for a second hour, in which a mailbox gets fewer mails.
      const stepsAMinute = what.startsWith('have thousands') ? 2 : 1
      const hours = what.startsWith('sign up') ? 2 : 1
      const { mailsByHour } = await attack(step, { owner: OWNER, stepsAMinute, hours })
      t.diagnostic(`mails by hour: ${mailsByHour.join(', ')}`)
      assertBounded(mailsByHour)
      assert.ok(mailsByHour.every((mails) => mails > 0))
    })
  }
})

describe('an owner', () => {
  test('who has not signed up yet can sign in while strangers ask for tags of the address', async () => {
    const { mailsByHour } = await attack(
      two((service, n) => ask(service, tag(n), network(n))),
      { owner: OWNER, isProven: false, hours: 2 },
    )
    assertBounded(mailsByHour)
  })

  test('who has not signed up yet can sign in while a stranger’s signup and its notice use the mailbox’s budget', async () => {
    const others = two((service, n) =>
      n === 10 ? signUp(service, OWNER, network(n)) : ask(service, tag(n), network(n)),
    )
    const { mailsByHour } = await attack(others, { owner: OWNER, isProven: false })
    assertBounded(mailsByHour)
  })

  test('whose address has a tag can sign in while strangers ask for the untagged address and for other tags', async () => {
    const others = two((service, n) => ask(service, n % 2 === 0 ? OWNER : tag(n), network(n)))
    const { mailsByHour } = await attack(others, { owner: 'ana+work@example.com' })
    assertBounded(mailsByHour)
  })

  test('of a mailbox whose provider ignores dots can sign in, and dotted spellings share its budget', async () => {
    const spelled = (n: number) =>
      `${[...'anapopescu'].map((letter, at) => letter + ((n >> at) & 1 && at < 9 ? '.' : '')).join('')}@${n % 2 ? 'gmail' : 'googlemail'}.com`
    const { mailsByHour } = await attack(
      two((service, n) => ask(service, spelled(n), network(n))),
      { owner: 'ana.popescu@gmail.com' },
    )
    assertBounded(mailsByHour)
  })

  test('of two accounts in one mailbox finds a live link of at most ten minutes of age while strangers ask for both', async () => {
    const both = [OWNER, 'ana+work@example.com']
    const step = two((service, n) => ask(service, both[n % 2] ?? '', network(n)))
    const { mailsByHour } = await attack(step, {
      owner: OWNER,
      others: ['ana+work@example.com'],
      linkAgeMs: 10 * 60_000,
    })
    assertBounded(mailsByHour)
  })
})
