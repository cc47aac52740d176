/**
 * Records the database of this version and the credentials in it as test/releases/NAME.json: `node
 * test/releases/record.ts NAME`, once for each release. test/journeys/upgrade.test.ts starts later versions on it.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { temporaryFolder } from '../support/files.ts'
import { openSqliteFile, serveIn } from '../support/process/served.ts'
import { linkIn, startSmtp } from '../support/mail/smtp.ts'
import { until } from '../support/until.ts'

const [name = ''] = process.argv.slice(2)
assert.match(name, /^[\w.-]+$/, 'Missing argument: NAME of the release, of letters, digits, "_", "." and "-".')

const settings = { JWT_SECRET: 'the-secret-of-a-recorded-release-of-32-bytes', PUBLIC_URL: 'http://127.0.0.1:4999' }
const folder = temporaryFolder()
const smtp = await startSmtp()
const service = await serveIn(folder.path, { ...settings, SMTP_URL: smtp.url })
const ok = async (...made: Parameters<typeof service.call>) => {
  const { status, text, body } = await service.call(...made)
  assert.ok(status < 300, `${made[0]}: ${text}`)
  return body
}
const linkOf = async (email: string) => {
  await ok('POST /auth/request', { body: { email } })
  return linkIn(await smtp.mailTo(email, 20_000, '/auth/verify?')).searchParams.get('token') ?? ''
}
const signIn = async (email: string): Promise<string> =>
  (await ok(`GET /auth/verify?token=${await linkOf(email)}`)).token
const keyOf = ({ apiKey, keySecret }: any) => ({ id: apiKey.id, keyId: apiKey.keyId, keySecret })

// Ana has keys, one of them revoked, and payment links, one of them deactivated.
const ana = await signIn('ana@example.com')
await ok('PATCH /users/me', { token: ana, body: { name: 'Ana' } })
const liveKey = keyOf(await ok('POST /auth/api-keys', { token: ana, body: { name: 'live' } }))
const revokedKey = keyOf(await ok('POST /auth/api-keys', { token: ana, body: { name: 'revoked' } }))
const exchange = async ({ keyId, keySecret }: { keyId: string; keySecret: string }) =>
  (await ok('POST /auth/api/token', { body: { keyId, keySecret } })).token as string
const keyToken = await exchange(liveKey)
const revokedToken = await exchange(revokedKey)
await ok(`POST /auth/api-keys/${revokedKey.id}/revoke`, { token: ana })
const sell = async (title: string) => {
  const body = { title, amount: 1250 }
  return (
    await ok('POST /payment-links', { token: ana, body, headers: { 'idempotency-key': title, 'x-currency': 'EUR' } })
  ).paymentLink.id as string
}
const [activeLink, endedLink] = [await sell('active'), await sell('ended')]
await ok(`POST /payment-links/${endedLink}/deactivate`, { token: ana })
// Bob is an unclaimed signup; Cia claimed an account that someone else signed up; Eva has signed out everywhere.
const bob = await ok('POST /auth/api/signup', { body: { email: 'bob@example.com' } })
const cia = await ok('POST /auth/api/signup', { body: { email: 'cia@example.com' } })
const ciaToken = await signIn('cia@example.com')
const eva = await signIn('eva@example.com')
await ok('POST /auth/tokens/revoke', { token: eva })
// Dan has an unused link, Fay one that is still queued.
const danLink = await linkOf('dan@example.com')
await until(() => smtp.mails.some(({ to }) => to.includes('bob@example.com')), 'every sendable mail is sent')
await smtp.close()
await ok('POST /auth/request', { body: { email: 'fay@example.com' } })
await service.stop()

const database = openSqliteFile(folder.path)
const all = (sql: string) => database.prepare(sql).all() as Record<string, string>[]
const objects = all(
  `select type, name, sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by type = 'index', rowid`,
)
const tables = objects.filter(({ type }) => type === 'table').map(({ name: table = '' }) => table)
const sql = objects.map((object) => object['sql'])
for (const table of tables.toSorted((a, b) => Number(b === 'users') - Number(a === 'users'))) {
  const columns = all(`select name from pragma_table_info('${table}')`).map((column) => column['name'])
  const values = columns.map((column) => `quote("${column}")`).join(` || ', ' || `)
  const rows = all(`select ${values} as row from "${table}"`)
  sql.push(...rows.map(({ row }) => `insert into "${table}" (${columns.join(', ')}) values (${row})`))
}
database.close()
folder.remove()
const held = {
  accepted: { ana, keyToken, bob: bob.token, cia: ciaToken },
  refused: { revokedToken, cia: cia.token, eva },
  liveKeys: { live: liveKey, bob: keyOf(bob) },
  revokedKey,
  waitingKey: keyOf(cia),
  activeLink,
  endedLink,
  unusedLink: danLink,
  waitingMail: 'fay@example.com',
}
const file = new URL(`${name}.json`, import.meta.url)
writeFileSync(file, `${JSON.stringify({ recordedAtMs: Date.now(), settings, held, sql }, null, 1)}\n`)
