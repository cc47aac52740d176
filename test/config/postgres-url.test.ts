/** A PostgreSQL URL that would be taken in another sense than it is written in, or fail later, is refused at the start. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { checkPostgresUrl } from '../../src/config/postgres-url.ts'
import { selfSigned } from '../support/http/certificate.ts'
import { temporaryFolder } from '../support/files.ts'

const PASSWORD = 'hunter2-Pa55word'
const folder = temporaryFolder()
after(() => folder.remove())
const at = (name: string) => join(folder.path, name)
const { cert, key } = selfSigned()
writeFileSync(at('ca.crt'), cert)
writeFileSync(at('client.key'), key)
writeFileSync(at('notes.txt'), 'The authority is in the other folder.')

const urlWith = (parameters: string) => `postgres://ana:${PASSWORD}@db.example.com/auth?${parameters}`

/** What is wrong, by the URL's parameters. */
const wrong: readonly (readonly [string, RegExp])[] = [
  ['sslmode=verify-full&sslmode=disable', /^must say each of its parameters once$/],
  ['host=localhost&host=db.example.com', /^must say each of its parameters once$/],
  ['sslmode=require&uselibpqcompat=true', /^must not say uselibpqcompat: /],
  ['sslmode=require&uselibpqcompat=false', /^must not say uselibpqcompat: /],
  ['sslmode=verify_full', /^must say one of these as sslmode: disable, .*, verify-full, no-verify$/],
  ['sslmode=allow', /^must say one of these as sslmode: /],
  [
    `sslmode=verify-full&sslrootcert=${at('nowhere.crt')}`,
    /^names a file by sslrootcert that cannot be read \(ENOENT\)$/,
  ],
  [`sslmode=verify-full&sslrootcert=${folder.path}`, /^names a file by sslrootcert that cannot be read \(EISDIR\)$/],
  [`sslmode=verify-full&sslrootcert=${at('notes.txt')}`, /^names a file by sslrootcert that holds no certificate$/],
  [`sslmode=verify-full&sslrootcert=${at('client.key')}`, /^names a file by sslrootcert that holds no certificate$/],
  ['sslmode=verify-full&sslrootcert=', /^names a file by sslrootcert that cannot be read /],
  [`sslmode=verify-full&sslcert=${at('nowhere.crt')}`, /^names a file by sslcert that cannot be read /],
  [`sslmode=verify-full&sslkey=${at('nowhere.key')}`, /^names a file by sslkey that cannot be read /],
  ['', /^must say sslmode=verify-full \(or/],
]

test('a URL is refused whose parameters are there twice, mean something else, or name files that are no use', () => {
  for (const [parameters, message] of wrong) {
    assert.throws(
      () => checkPostgresUrl(new URL(urlWith(parameters))),
      (error: Error) => {
        assert.match(error.message, message, parameters)
        assert.ok(!error.message.includes(PASSWORD) && !error.message.includes(folder.path), 'nothing of what it says')
        return true
      },
    )
  }
})

test('a URL is taken that says each word once, and whose files are there', () => {
  const files = `sslrootcert=${at('ca.crt')}&sslcert=${at('ca.crt')}&sslkey=${at('client.key')}`
  for (const parameters of [
    `sslmode=verify-full&${files}`,
    'sslmode=disable',
    'sslmode=no-verify',
    'host=/var/run/postgresql',
  ]) {
    assert.doesNotThrow(() => checkPostgresUrl(new URL(urlWith(parameters))), parameters)
  }
})
