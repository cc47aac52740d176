/** No request for an address, whenever it comes, makes a mail that waits for its mailbox's budget wait longer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction } from '../../src/db/db.ts'
import { systemRandom } from '../../src/lib/random.ts'
import { enqueueMail, holdMailBack, leaseDueMails, newMail } from '../../src/mail/mail-store.ts'
import { network } from '../support/mail-flood.ts'
import { startMailing } from '../support/mailing.ts'

const REFILL_MS = 5 * 60_000

test('of two addresses of a mailbox the one that waits longer goes first, though it is asked for while a sender has its mail', async (t) => {
  const { db, clock, close } = await startMailing()
  t.after(close)
  let asked = 0
  const ask = (email: string) =>
    enqueueMail(db, newMail({ clock, random: systemRandom }, { kind: 'sign_in', locale: 'en', email, ip: network(asked++) }))
  const lease = () => leaseDueMails(db, { nowMs: clock.now(), untilMs: clock.now() + 30_000, limit: 5 })
  const holdAll = async () => {
    const untilMs = clock.now() + REFILL_MS
    for (let leased = await lease(); leased.length > 0; leased = await lease()) {
      for (const { id } of leased) await inTransaction(db, (trx) => holdMailBack(trx, id, untilMs))
    }
    clock.advance(REFILL_MS)
  }
  await ask('ana@example.com')
  await holdAll()
  await ask('ana+work@example.com')
  await holdAll()

  const [first] = await lease()
  assert.equal(first?.email, 'ana@example.com')
  await ask('ana@example.com')
  const [next] = await lease()
  assert.equal(next?.email, 'ana@example.com', 'the request took its place from it')
  assert.notEqual(next.id, first.id, 'what the sender has is no longer in the queue')
})
