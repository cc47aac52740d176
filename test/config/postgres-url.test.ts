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

/** Expected problems by query string. */
const wrong: readonly (readonly [string, RegExp])[] = [
  ['sslmode=verify-full&sslmode=disable', /^must give each parameter only once$/],
  ['host=localhost&host=db.example.com', /^must give each parameter only once$/],
  ['sslmode=require&uselibpqcompat=true', /^must not contain uselibpqcompat: /],
  ['sslmode=require&uselibpqcompat=false', /^must not contain uselibpqcompat: /],
  ['sslmode=verify_full', /^must set sslmode to one of disable, .*, verify-full, no-verify$/],
  ['sslmode=allow', /^must set sslmode to one of /],
  [
    `sslmode=verify-full&sslrootcert=${at('nowhere.crt')}`,
    /^has a file in sslrootcert that cannot be read \(ENOENT\)$/,
  ],
  [`sslmode=verify-full&sslrootcert=${folder.path}`, /^has a file in sslrootcert that cannot be read \(EISDIR\)$/],
  [`sslmode=verify-full&sslrootcert=${at('notes.txt')}`, /^has a file in sslrootcert that contains no certificate$/],
  [`sslmode=verify-full&sslrootcert=${at('client.key')}`, /^has a file in sslrootcert that contains no certificate$/],
  ['sslmode=verify-full&sslrootcert=', /^has a file in sslrootcert that cannot be read /],
  [`sslmode=verify-full&sslcert=${at('nowhere.crt')}`, /^has a file in sslcert that cannot be read /],
  [`sslmode=verify-full&sslkey=${at('nowhere.key')}`, /^has a file in sslkey that cannot be read /],
  ['', /^must contain sslmode=verify-full \(or/],
]

test('a URL with repeated or ambiguous parameters, or with unusable files, is refused', () => {
  for (const [parameters, message] of wrong) {
    assert.throws(
      () => checkPostgresUrl(new URL(urlWith(parameters))),
      (error: Error) => {
        assert.match(error.message, message, parameters)
        assert.ok(
          !error.message.includes(PASSWORD) && !error.message.includes(folder.path),
          'the message quotes the URL',
        )
        return true
      },
    )
  }
})

test('a URL with unique parameters and existing files is accepted', () => {
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

test('a password that is not percent-encoded is refused, and no part of it is quoted', () => {
  for (const url of [
    'postgres://localhost:123#S3cret@h/db',
    'postgres://u:123/S3cret@h/db?sslmode=disable',
    'postgres://u:p@localhost/db#S3cret',
    'postgres://u%3AS3cret@localhost/db',
    'postgres://localhost/S3/cret',
  ]) {
    assert.throws(() => checkPostgresUrl(new URL(url)), /^Error: must have the characters [^S]* percent-encoded$/, url)
  }
  assert.doesNotThrow(() => checkPostgresUrl(new URL('postgres://u:%23%2F%40@localhost/db')))
})
