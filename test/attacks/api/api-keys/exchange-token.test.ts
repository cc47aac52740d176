import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import { toBase62 } from '../../../../src/lib/random.ts'
import { assertError, fingerprintOf } from '../../../support/http/answers.ts'
import { exchange } from '../../../support/accounts/keys.ts'
import type { NewKey } from '../../../support/accounts/keys.ts'
import { startService } from '../../../support/service.ts'
import type { Answer, Service } from '../../../support/service.ts'
import { databaseContent } from '../../../support/database/state.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const withChecksum = (text: string) => text + toBase62(crc32(text), 6)

/** Every variant of the secret with one character replaced, checksum included. */
function misspellings(secret: string): string[] {
  return secret.split('').map((own, place) => {
    const other = own === 'x' ? 'y' : 'x'
    return secret.slice(0, place) + other + secret.slice(place + 1)
  })
}

const withSecret = (key: NewKey, keySecret: string): Promise<Answer> => exchange(service, { ...key, keySecret })

test('a misspelled secret gets the answer of a wrong one without a database query [K1, K4]', async () => {
  const key = await service.signUp('ana@example.com')
  const other = await service.signUp('bob@example.com')
  const wrong = await withSecret(key, other.keySecret)
  assertError(wrong, 'INVALID_CREDENTIALS')

  await sql`alter table api_keys rename to api_keys_gone`.execute(service.db.query)
  try {
    assertError(await withSecret(key, key.keySecret), 'INTERNAL')
    for (const misspelled of misspellings(key.keySecret)) {
      const answer = await withSecret(key, misspelled)
      assert.equal(fingerprintOf(answer), fingerprintOf(wrong), misspelled)
    }
  } finally {
    await sql`alter table api_keys_gone rename to api_keys`.execute(service.db.query)
  }
  assert.equal((await withSecret(key, key.keySecret)).status, 200)
})

test('secrets of every length, prefixes of the right one included, get the same refusal [CVE-2022-31142, K3, K4]', async () => {
  const key = await service.signUp('cia@example.com')
  const { keySecret } = key
  const lengths = [...Array.from({ length: 130 }, (_, length) => length), 1000, 4096, 30_000]
  const secrets = lengths.flatMap((length) => [
    keySecret.slice(0, length) === keySecret ? `${keySecret}x` : keySecret.slice(0, length),
    'x'.repeat(length),
    // A wrong length with a valid checksum. Only secrets of the right length are looked up.
    withChecksum(`pls_${'x'.repeat(length)}`),
    'ș'.repeat(length),
  ])
  const prints = new Set<string>()
  const { users, apiKeys } = await databaseContent(service.db)
  for (const secret of secrets) prints.add(fingerprintOf(await withSecret(key, secret)))
  const afterwards = await databaseContent(service.db)
  assert.deepEqual([afterwards.users, afterwards.apiKeys], [users, apiKeys])
  assert.equal(prints.size, 1, [...prints].join('\n'))
  assert.match([...prints].join(), /^401 .*INVALID_CREDENTIALS/)
  assert.equal((await exchange(service, key)).status, 200)
})

test('secrets are compared as digests, and digests in constant time [K3, CVE-2022-31142]', () => {
  const read = (path: string) => readFileSync(new URL(`../../../../src/${path}`, import.meta.url), 'utf8')
  assert.match(
    read('lib/hash.ts'),
    /return timingSafeEqual\(Buffer\.from\(one, 'hex'\), Buffer\.from\(other, 'hex'\)\)/,
  )
  const exchanging = read('domain/keys/authenticate-key.ts')
  const comparisons = exchanging.match(/^.*\?\.\w*secret_hash.*$/gm) ?? []
  assert.ok(comparisons.length > 0)
  for (const line of comparisons) assert.match(line, /sameHash\(/)
  assert.doesNotMatch(exchanging, /keySecret ?[!=]==?|[!=]== ?keySecret/)
})
