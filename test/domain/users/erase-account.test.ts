/** Of a deleted account nothing personal is left at rest: not in the file, not in its log, not in a row. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { upkeep } from '../../../src/domain/upkeep.ts'
import { eraseDeleted } from '../../../src/domain/users/account-erasure.ts'
import { mailboxOf } from '../../../src/lib/text/email-address.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import { createKey } from '../../support/accounts/keys.ts'
import { createLink } from '../../support/accounts/payment-links.ts'
import { textAtRest } from '../../support/database/at-rest.ts'
import { isPostgres } from '../../support/database/triggers.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const ADDRESS = 'distinctive.person+tag@mail.example'
const NAME = 'Distinctive Name'
let service: Service
before(async () => {
  service = await startService({ RATE_LIMITS: 'on', RATE_LIMIT_REQUEST_REPEAT: '100/30s' })
})
after(() => service.close())

/** As one text, after a checkpoint. */
async function atRest(): Promise<string> {
  if (!isPostgres(service.db)) await sql`pragma wal_checkpoint(truncate)`.execute(service.db.query)
  return textAtRest(service.db)
}

test('the address in any spelling, the name, titles and client networks are gone; a hash of the mailbox goes when its limits are full again', async () => {
  // Others, between whose rows those of the account are.
  for (let n = 0; n < 40; n += 1) {
    service.clock.advance(3_600_000)
    if (n === 20) {
      const token = await service.signIn(ADDRESS)
      await service.call('PATCH /users/me', { token, body: { name: NAME } })
      await createKey(service, token, { name: 'Distinctive key' })
      await createLink(service, token, { title: 'Distinctive title', reference: 'DISTINCTIVE-1' })
    }
    await service.signUp(`somebody-${n}@mail.example`)
  }
  const token = await service.signIn(ADDRESS)
  const words = ['distinctive', mailboxOf(ADDRESS)]
  const found = (await atRest()).toLowerCase()
  for (const word of words) assert.ok(found.includes(word), word)

  assert.ok((await service.call('DELETE /users/me', { token })).status < 300)
  await eraseDeleted(service.db, new AbortController().signal)
  const left = (await atRest()).toLowerCase()
  for (const word of words) assert.ok(!left.includes(word), word)

  const hashes = [ADDRESS, mailboxOf(ADDRESS)].map(sha256)
  service.clock.advance(3_700_000)
  await upkeep(service.deps)
  const later = await atRest()
  for (const hash of hashes) assert.ok(!later.includes(hash))
})
