import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { addLinks, addOtherRows } from '../../../support/database/account-rows.ts'
import { recorded } from '../../../support/database/query-plans.ts'
import { disable } from '../../../support/accounts/disabled.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { userOf } from '../../../support/database/state.ts'
import { findAllKeysOfUser } from '../../../../src/domain/keys/key-store.ts'
import { findMakers } from '../../../../src/domain/keys/key-maker-store.ts'

const ROWS = 10_000
let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

type Shape = Readonly<{ links?: number; others?: number; isClaimed?: boolean }>

async function large(email: string, { links = ROWS, others = ROWS, isClaimed = true }: Shape = {}): Promise<string> {
  const token: string = isClaimed ? await service.signIn(email) : (await service.signUp(email)).token
  const { id } = await userOf(service.db, email)
  if (links > 0) await addLinks(service.db, id, links)
  if (others > 0) await addOtherRows(service.db, id, others)
  return token
}

/** Starts an export, runs `act` after its first bytes, and reads until the export ends or is cut off. */
async function exportDuring(
  token: string,
  act: () => Promise<unknown>,
): Promise<Readonly<{ text: string; isWhole: boolean }>> {
  const response = await fetch(`${service.baseUrl}/users/me/export`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(response.status, 200)
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const chunk of response.body ?? []) {
      const isFirst = text === ''
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      if (isFirst) await act()
    }
    return { text, isWhole: true }
  } catch {
    return { text, isWhole: false }
  }
}

test('an export has every row once: keys and links newest first, key makers by key id', async () => {
  const token = await large('ana@example.com')
  const { text, isWhole } = await exportDuring(token, async () => {})
  assert.ok(isWhole)
  const exported = JSON.parse(text)
  for (const [list, more] of [
    ['apiKeys', 0],
    ['keyMakers', 0],
    ['paymentLinks', 0],
    ['events', 3],
  ] as const)
    assert.equal(exported[list].length, ROWS + more, list)
  for (const list of ['apiKeys', 'paymentLinks'] as const) {
    const ids = exported[list].map(({ id }: { id: string }) => id)
    assert.deepEqual(ids, ids.toSorted().toReversed())
  }
  const made = exported.keyMakers.map(({ apiKeyId }: { apiKeyId: string }) => apiKeyId)
  assert.deepEqual(made, made.toSorted())
  assert.equal(new Set(made).size, ROWS)
})

test('a page of keys, or of key makers, is one limited query', async () => {
  const { id } = await userOf(service.db, 'ana@example.com')
  const page = { after: undefined, limit: 200 }
  for (const read of [findAllKeysOfUser, findMakers]) {
    const [first] = await read(service.db, id, page)
    assert.ok(first)
    const next = await read(service.db, id, { after: first as never, limit: 200 })
    assert.equal(next.length, 200)
    assert.ok(next.every((row) => row.id !== first.id))
    const [statement] = await recorded(service.db, (db) => read(db, id, { after: first as never, limit: 200 }))
    assert.match(statement?.sql ?? '', / limit /)
  }
})

const ends: Readonly<Record<string, (token: string, email: string) => Promise<unknown>>> = {
  'all tokens are revoked': (token) => service.call('POST /auth/tokens/revoke', { token }),
  'the account is deleted': (token) => service.call('DELETE /users/me', { token }),
  'the account is disabled': (_, email) => disable(service, email),
}
for (const [event, end] of Object.entries(ends)) {
  test(`the export is cut off while ${event}`, async () => {
    const email = `${event.replaceAll(' ', '-')}@example.com`
    // Keys and links are streamed by separate loops, each of which checks the token.
    const token = await large(email, event === 'all tokens are revoked' ? { links: 3 * ROWS, others: 0 } : { links: 0 })
    const { text, isWhole } = await exportDuring(token, () => end(token, email))
    assert.equal(isWhole, false)
    assert.doesNotMatch(text, /"mailPause"/)
    assert.ok(text.length > 0)
    assertError(await service.call('GET /users/me/export', { token }), 'UNAUTHORIZED')
  })
}

test('an export is cut off while its key is revoked, and while the owner claims the account', async () => {
  const byKey = await large('bob@example.com', { isClaimed: false })
  const { apiKeys } = (await service.call('GET /auth/api-keys', { token: byKey })).body
  const exportByKey = await exportDuring(byKey, () =>
    service.call(
      `POST /auth/api-keys/${apiKeys.find(({ status }: { status: string }) => status === 'ACTIVE').id}/revoke`,
      { token: byKey },
    ),
  )
  assert.equal(exportByKey.isWhole, false)

  const squatter = await large('cia@example.com', { isClaimed: false })
  let claimed = ''
  const seen = await exportDuring(squatter, async () => {
    claimed = await service.signIn('cia@example.com')
    await service.call('PATCH /users/me', { token: claimed, body: { name: 'The owner' } })
    await service.call('POST /payment-links', { token: claimed, body: { amount: 1, title: 'Of the owner' } })
  })
  assert.ok(claimed)
  assert.equal(seen.isWhole, false)
  assert.doesNotMatch(seen.text, /he owner/)
})
