/** The operator's commands take effect in a running service at once, and notify owners as the API does. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { appsOf, connect, startApp } from '../support/accounts/apps.ts'
import { callAt } from '../support/http/call.ts'
import { basicOf, postForm } from '../support/http/oauth.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { buttonIn } from '../support/mail/buttons.ts'
import { blocksOf } from '../support/process/documented-commands.ts'
import { operatorIn } from '../support/process/operator.ts'
import { runCli } from '../support/process/process.ts'
import type { Operator } from '../support/process/operator.ts'
import { databaseEnv, queryDatabase, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { flowingText, linkIn, MAIL_WITHIN_MS, startSmtp } from '../support/mail/smtp.ts'
import type { SmtpStandIn } from '../support/mail/smtp.ts'

const CHANGES_TOKEN = 'a-token-of-the-tests-0123456789abcdef'

describe('beside a running service', () => {
  const folder = temporaryFolder()
  let smtp: SmtpStandIn
  let service: Served
  let operator: Operator
  let env: Record<string, string>
  before(async () => {
    smtp = await startSmtp()
    env = {
      PORT: String(await freePort()),
      SMTP_URL: smtp.url,
      CHANGES_TOKEN,
      ...(await databaseEnv(folder.path)),
    }
    service = await serveIn(folder.path, env)
    operator = operatorIn(folder.path, env)
  })
  after(async () => {
    await service?.stop()
    await smtp?.close()
    folder.remove()
  })

  const call: Served['call'] = (route, options) => callAt(service.baseUrl, route, options)
  const signIn = async (email: string): Promise<string> => {
    await call('POST /auth/request', { body: { email } })
    const { search } = linkIn(await smtp.mailTo(email, MAIL_WITHIN_MS, '/auth/verify?'))
    return (await call(`GET /auth/verify${search}`)).body.token
  }
  const signUp = async (email: string, name?: string) =>
    (await call('POST /auth/api/signup', { body: { email, name } })).body
  const meOf = async (token: string) => (await call('GET /users/me', { token })).status
  const exchange = async (keyId: string, keySecret: string) =>
    call('POST /auth/api/token', { body: { keyId, keySecret } })
  /** What services behind are told. */
  const changes = async () => (await call('GET /auth/changes', { token: CHANGES_TOKEN })).body.changes
  const allUsers = () => queryDatabase(folder.path, 'select * from users order by id')

  test('users are listed by page, searched by a part of their address, and shown, as text and as JSON', async () => {
    const { user } = await signUp('ana_x@example.com', 'Ana \u{1F98A}')
    await signUp('anax@example.com')
    const { users, next } = await operator.json('users', 'list', '--search', 'ANA_')
    assert.deepEqual([users.map((one: any) => one.email), next], [['ana_x@example.com'], null])
    const first = await operator.json('users', 'list', '--limit', '1')
    assert.deepEqual([first.users[0].id, first.next], [user.id, user.id])
    const { output } = await operator.run('users', 'list', '--after', first.next)
    assert.match(output, /^ID +E-MAIL .*\n\S+ +anax@example\.com +UNCLAIMED /)
    const shown = await operator.json('users', 'show', 'Ana_X@Example.com')
    assert.deepEqual([shown.user.id, shown.keys, shown.events[0].type], [user.id, { ACTIVE: 1 }, 'account_created'])
    assert.match((await operator.run('users', 'show', user.id)).output, /^e-mail +ana_x@example\.com$/m)
  })

  test('the commands of docs/behind-the-gate.md list all accounts, page by page', async () => {
    for (const name of ['one', 'two', 'three']) await signUp(`${name}@example.com`)
    const commands = blocksOf('docs/behind-the-gate.md').find(({ code }) => code.includes('users list'))?.code
    const [first = '', following = ''] = commands?.split('\n') ?? []
    const pageAt = async (next?: string) => {
      const line = next === undefined ? first : following.replace('NEXT', next)
      const { code, output } = await operator.run(...line.replace('10000', '2').split(' ').slice(1))
      assert.equal(code, 0, output)
      return JSON.parse(output) as { users: { id: string }[]; next: string | null }
    }
    let page = await pageAt()
    const ids = page.users.map(({ id }) => id)
    while (page.next !== null) {
      page = await pageAt(page.next)
      ids.push(...page.users.map(({ id }) => id))
    }
    assert.deepEqual(
      ids,
      (await allUsers()).map(({ id }: { id: string }) => id),
    )
    assert.ok(ids.length > 4)
  })

  test('an account is exported as its owner would export it, and the owner sees that it was', async () => {
    const email = 'exported@example.com'
    const token = await signIn(email)
    await call('POST /payment-links', { token, body: { amount: 1050, title: 'Lunch', currency: 'RON' } })
    const { body: own } = await call('GET /users/me/export', { token })
    const command = runCli(['users', 'export', email], { cwd: folder.path, env })
    assert.equal((await command.exited).code, 0)
    const { events, ...document } = JSON.parse(command.stdout())
    const { events: ownEvents, ...ownDocument } = own
    assert.deepEqual(document, ownDocument)
    const [newest, ...earlier] = events
    assert.deepEqual([newest.type, newest.detail, newest.client], ['exported', 'operator', null])
    assert.deepEqual(earlier, ownEvents)
    assert.equal((await operator.run('users', 'export', 'nobody@example.com')).code, 1)
  })

  test('unclaimed accounts unused since a date are counted, and deleted after a confirmation; others stay', async () => {
    const kept = await signUp('kept@example.com')
    for (const name of ['one', 'two']) await signUp(`unclaimed-${name}@example.com`)
    const old = Date.UTC(2020, 0, 1)
    await queryDatabase(folder.path, `update users set created_at_ms = ${old} where email like 'unclaimed-%'`)
    await queryDatabase(
      folder.path,
      `update api_keys set created_at_ms = ${old} where user_id in (select id from users where email like 'unclaimed-%')`,
    )
    const asked = ['users', 'delete', '--unclaimed-since', '2020-01-02'] as const
    const refused = await operator.run(...asked)
    assert.equal(refused.code, 64)
    assert.match(
      refused.output,
      /^2 accounts created before 2020-01-02T00:00:00\.000Z, never claimed and not used since\.$/m,
    )
    const found = await allUsers()
    assert.match((await operator.answer('no', ...asked)).output, /Nothing was changed\./)
    assert.deepEqual(await allUsers(), found)
    assert.equal((await operator.json(...asked, '--yes')).deleted, 2)
    const { users } = await operator.json('users', 'list', '--search', 'unclaimed-')
    assert.deepEqual(users, [])
    assert.equal((await call('GET /users/me', { token: kept.token })).status, 200)
    assert.match((await operator.run(...asked)).output, /^Deleted: 0 accounts/m)
    for (const wrong of [
      ['--unclaimed-since', 'soon'],
      ['--unclaimed-since', '2999-01-01'],
      ['--unclaimed-since', '2026-02-31'],
      ['--unclaimed-since', '2026-01-31T12:00'],
      [],
      ['a@b.example', ...asked.slice(2)],
    ])
      assert.equal((await operator.run('users', 'delete', ...wrong, '--yes')).code, 64, wrong.join(' '))
  })

  test('a destructive command without a terminal or --yes does nothing and exits with 64', async () => {
    const { apiKey } = await signUp('safe@example.com')
    const earlier = await allUsers()
    const refused = [
      ['users', 'disable', 'safe@example.com'],
      ['users', 'delete', 'safe@example.com'],
      ['users', 'revoke-tokens', 'safe@example.com'],
      ['sessions', 'revoke', 'safe@example.com', '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13'],
      ['keys', 'revoke', apiKey.keyId],
      ['restore', 'no-such-file'],
    ]
    for (const { code, output } of await Promise.all(refused.map((args) => operator.run(...args)))) {
      assert.equal(code, 64, output)
      assert.match(output, /Use --yes/)
    }
    assert.deepEqual(await allUsers(), earlier)
    const keys = await queryDatabase(folder.path, 'select revoked_at_ms from api_keys where id = ?', apiKey.id)
    assert.deepEqual(keys, [{ revoked_at_ms: null }])
  })

  test('on a terminal it asks for confirmation, and anything but yes changes nothing', async () => {
    const { token } = await signUp('asked@example.com')
    const not = await operator.answer('y', 'users', 'revoke-tokens', 'asked@example.com')
    assert.deepEqual([not.code, await meOf(token)], [1, 200], not.output)
    const done = await operator.answer('yes', 'users', 'revoke-tokens', 'asked@example.com')
    assert.deepEqual([done.code, await meOf(token)], [0, 401], done.output)
  })

  test('a disabled user’s calls are refused at once, and an enabled user can sign in again', async () => {
    const token = await signIn('bob@example.com')
    const disabled = await operator.run('users', 'disable', 'bob@example.com', '--yes')
    assert.deepEqual([disabled.code, await meOf(token)], [0, 401], disabled.output)
    assert.match((await operator.run('users', 'disable', 'bob@example.com', '--yes')).output, /already/)
    await call('POST /auth/request', { body: { email: 'bob@example.com' } })
    assert.doesNotMatch((await smtp.mailTo('bob@example.com', MAIL_WITHIN_MS, 'disabled')).message.text ?? '', /http/)
    assert.equal((await operator.run('keys', 'create', 'bob@example.com')).code, 1)
    assert.equal((await changes()).at(-1).kind, 'disabled')
    assert.equal((await operator.run('users', 'enable', 'bob@example.com')).code, 0)
    assert.equal((await changes()).at(-1).kind, 'enabled')
    assert.equal(await meOf(token), 401)
    assert.equal(await meOf(await signIn('bob@example.com')), 200)
  })

  test('a deleted user is gone, and the address can make another account', async () => {
    const { user, token } = await signUp('cia@example.com')
    assert.equal((await operator.run('users', 'delete', user.id, '--yes')).code, 0)
    assert.equal(await meOf(token), 401)
    assert.equal((await operator.run('users', 'show', user.id)).code, 1)
    const { userId, kind } = (await changes()).at(-1)
    assert.deepEqual([userId, kind], [user.id, 'deleted'])
    assert.notEqual((await signUp('cia@example.com')).user.id, user.id)
  })

  test('a sign-in ended by the operator is refused at once; its user’s other sign-in and API keys keep working', async () => {
    const email = 'eve@example.com'
    const lost = await signIn(email)
    const kept = await signIn(email)
    const { body: key } = await call('POST /auth/api-keys', { token: kept, body: { name: 'For CI' } })
    const idOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid
    const { sessions } = await operator.json('sessions', 'list', email)
    assert.deepEqual(new Set(sessions.map((one: { id: string }) => one.id)), new Set([idOf(lost), idOf(kept)]))
    assert.match((await operator.run('sessions', 'list', email)).output, new RegExp(`^${idOf(lost)}  magic_link `, 'm'))

    // Of another user it is answered like a missing one.
    await signUp('ewa@example.com')
    assert.equal((await operator.run('sessions', 'revoke', 'ewa@example.com', idOf(lost), '--yes')).code, 1)
    assert.equal(await meOf(lost), 200)

    const asked = await operator.answer('y', 'sessions', 'revoke', email, idOf(lost))
    assert.deepEqual([asked.code, await meOf(lost)], [1, 200], asked.output)
    const ended = await operator.run('sessions', 'revoke', email, idOf(lost), '--yes')
    assert.equal(ended.code, 0, ended.output)
    assert.match(ended.output, /^Database: /)
    assert.deepEqual([await meOf(lost), await meOf(kept)], [401, 200])
    assert.equal((await exchange(key.apiKey.keyId, key.keySecret)).status, 200)
    assert.match((await operator.run('sessions', 'list', email)).output, new RegExp(`${idOf(kept)}`))
    assert.doesNotMatch((await operator.run('sessions', 'list', email)).output, new RegExp(`${idOf(lost)}`))
    assert.equal((await operator.json('sessions', 'revoke', email, idOf(lost), '--yes')).revoked, 0)

    // The operator learns from the events which sign-in to end.
    const shown = await operator.json('users', 'show', email)
    const made = shown.events.find((event: any) => event.type === 'key_created')
    assert.deepEqual([made.signInId, made.bySignInId], [null, idOf(kept)])
    const shownText = (await operator.run('users', 'show', email)).output
    for (const [type, id] of [
      ['signed_in', idOf(lost)],
      ['key_created', idOf(kept)],
    ])
      assert.match(shownText, new RegExp(`Z  ${type}  .*  ${id}`, 'm'))

    // One that ended with all the others is not recorded as ended on its own.
    assert.equal((await operator.run('users', 'revoke-tokens', email, '--yes')).code, 0)
    assert.deepEqual((await operator.json('sessions', 'list', email)).sessions, [])
    assert.equal((await operator.json('sessions', 'revoke', email, idOf(kept), '--yes')).revoked, 0)
    const events = await queryDatabase(
      folder.path,
      `select detail, sign_in_id, client, by_sign_in_id from security_events where type = 'signed_out'`,
    )
    assert.deepEqual(events, [{ detail: 'operator', sign_in_id: idOf(lost), client: null, by_sign_in_id: null }])
  })

  test('a changed address is shown as reserved, and enabling an account that its owner deleted cancels the deletion', async () => {
    const [email, newEmail] = ['mia@example.com', 'mia-2@example.com']
    const token = await signIn(email)
    await call('POST /users/me/email', { token, body: { email: newEmail } })
    const body = { token: buttonIn(await smtp.mailTo(newEmail), 'confirm-email') }
    const changed = (await call('POST /auth/email/confirm', { token, body })).body
    const former = await operator.run('users', 'show', email)
    assert.equal(former.code, 1)
    assert.match(former.output, new RegExp(`until lately is ${changed.user.id}\\.`))
    assert.equal((await call('DELETE /users/me', { token: changed.token })).status, 200)
    const shown = await operator.json('users', 'show', newEmail)
    const [reserved] = shown.reservedAddresses
    assert.deepEqual([reserved.email, shown.user.state, shown.erasedAt], [email, 'DISABLED', reserved.until])
    assert.match((await operator.run('users', 'show', newEmail)).output, /^deleted by its owner, erased +2\d{3}-/m)
    const { output } = await operator.run('users', 'enable', newEmail)
    assert.match(output, /deletion that the owner had asked for is cancelled/)
    const enabled = await operator.json('users', 'show', newEmail)
    assert.deepEqual([enabled.user.state, enabled.erasedAt], ['ACTIVE', null])
  })

  test('a created key shows its secret once and notifies its owner; revoking it revokes the keys it made', async () => {
    const email = 'dan@example.com'
    await signIn(email)
    const { apiKey, keySecret } = await operator.json(
      'keys',
      'create',
      email,
      '--name',
      'For CI',
      '--expires-in-days',
      '9',
    )
    const { body } = await exchange(apiKey.keyId, keySecret)
    assert.equal(body.user.email, email)
    const told = await smtp.mailTo(email, MAIL_WITHIN_MS, 'For CI')
    assert.match(flowingText(told), /was created by the operator of this service\./)
    const restrictions = { scopes: ['payment_links:write'], dailyAmount: { EUR: 5000 } }
    const child = (await call('POST /auth/api-keys', { token: body.token, body: { name: 'Child', restrictions } })).body
    assert.equal(await meOf(body.token), 200)

    const list = await operator.run('keys', 'list', email)
    assert.match(list.output, new RegExp(`${apiKey.keyId} +ACTIVE .* - +For CI$`, 'm'))
    assert.match(list.output, /payment_links:write; 50\.00 EUR a day +Child$/m)
    assert.ok(!list.output.includes(keySecret.slice(4, 20)))
    const revoked = await operator.json('keys', 'revoke', apiKey.keyId, '--with-descendants', '--yes')
    assert.deepEqual([revoked.apiKey.status, revoked.revoked], ['REVOKED', 2])
    assert.equal(await meOf(body.token), 401)
    for (const key of [{ apiKey, keySecret }, child])
      assert.equal((await exchange(key.apiKey.keyId, key.keySecret)).status, 401)
    const events = await queryDatabase(
      folder.path,
      `select detail from security_events where type = 'key_revoked' and api_key_id = ?`,
      apiKey.id,
    )
    assert.deepEqual(events, [{ detail: 'operator' }])
  })

  test('the apps of a user are listed by their domain, and the access of one ends at once', async (t) => {
    const app = await startApp(t)
    const owner = await signIn('ina@example.com')
    const token = await connect({ call }, owner, app)
    const other = await connect({ call }, owner, app)
    const { apps } = await operator.json('apps', 'list', 'ina@example.com')
    const [, one] = apps
    const { host } = new URL(app.clientId)
    // Not the resource, which begins with PUBLIC_URL: the test sets that for the service alone.
    const known = ({ id, domain, name, restrictions }: any) => ({ id, domain, name, restrictions })
    assert.deepEqual(apps.map(known), (await appsOf({ call }, owner)).map(known))
    const { output } = await operator.run('apps', 'list', 'ina@example.com')
    assert.match(output, /^ID +DOMAIN +CONNECTED +LAST USED +EXPIRES +RESTRICTED TO +RESOURCE +NAME\n/m)
    assert.match(output, new RegExp(`^${one.id} +${host} .* account:read payment_links:read .* Lunch bot$`, 'm'))
    assert.deepEqual((await operator.json('keys', 'list', 'ina@example.com')).apiKeys, [])

    assert.equal((await operator.run('apps', 'revoke', 'ina@example.com', one.id)).code, 64)
    assert.equal((await operator.run('apps', 'revoke', 'safe@example.com', one.id, '--yes')).code, 1)
    assert.equal(await meOf(token), 200)
    const revoke = () => operator.json('apps', 'revoke', 'ina@example.com', one.id, '--yes')
    assert.equal((await revoke()).revoked, 1)
    assert.deepEqual([await meOf(token), await meOf(other)], [401, 200])
    assert.equal((await revoke()).revoked, 0)
    assert.equal((await appsOf({ call }, owner)).length, 1)
    const events = (await call('GET /auth/events', { token: owner })).body.events
    const ended = events.filter(({ type }: { type: string }) => type === 'app_disconnected')
    assert.deepEqual(
      ended.map(({ detail }: { detail: string }) => detail),
      ['operator'],
    )
  })

  test('a key name has up to 100 characters, as in the API, also of those with two UTF-16 units', async () => {
    const { token } = await signUp('fox@example.com')
    const name = '\u{1F98A}'.repeat(100)
    assert.equal((await operator.json('keys', 'create', 'fox@example.com', '--name', name)).apiKey.name, name)
    const answer = await call('POST /auth/api-keys', { token, body: { name } })
    assert.deepEqual([answer.status, answer.body.apiKey.name], [201, name])
  })

  test('an unknown user exits with 1 and an invalid argument with 64, without a stack trace', async () => {
    const cases: [number, ...string[]][] = [
      [1, 'users', 'show', 'nobody@example.com'],
      [1, 'sessions', 'list', 'nobody@example.com'],
      [1, 'sessions', 'revoke', 'ana_x@example.com', 'unknown', '--yes'],
      [1, 'sessions', 'revoke', 'ana_x@example.com', 'a b', '--yes'],
      [64, 'sessions', 'revoke', 'ana_x@example.com', '--yes'],
      [1, 'keys', 'revoke', 'plk_0000000000000000000000', '--yes'],
      [64, 'users', 'show', 'a b'],
      [64, 'users', 'show', 'a@b@c'],
      [64, 'users', 'list', '--limit', '0'],
      [64, 'keys', 'create', 'ana_x@example.com', '--expires-in-days', 'soon'],
      [64, 'users', 'show'],
      [64, 'users', 'list', 'all'],
      [64, 'keys', 'create', 'ana_x@example.com', '--scopes', 'account:read,tokens'],
      [64, 'keys', 'create', 'ana_x@example.com', '--scopes', ''],
      [64, 'keys', 'create', 'ana_x@example.com', '--name', '\u202e'],
      [64, 'keys', 'create', 'ana_x@example.com', '--name', '\u{1F98A}'.repeat(101)],
      [64, 'users', 'list', '--yes'],
    ]
    const ended = await Promise.all(cases.map(([, ...args]) => operator.run(...args)))
    for (const [n, { code, output }] of ended.entries()) {
      assert.equal(code, cases[n]?.[0], `${cases[n]?.join(' ')}: ${output}`)
      assert.doesNotMatch(output, /^\s+at /m)
    }
  })

  test('a key with scopes of the operator’s choice introspects tokens, and can do nothing else', async () => {
    const { user, token } = await signUp('services@example.com')
    const scopes = ['--name', 'Reports', '--scopes', 'tokens:introspect']
    const key = await operator.json('keys', 'create', 'services@example.com', ...scopes)
    assert.deepEqual(key.apiKey.restrictions, { scopes: ['tokens:introspect'] })
    const { body } = await postForm({ call }, '/oauth/introspect', { token }, basicOf(key))
    assert.deepEqual([body.active, body.sub], [true, user.id])
    const { body: exchanged } = await exchange(key.apiKey.keyId, key.keySecret)
    assert.equal((await call('GET /users/me', { token: exchanged.token })).body.error.code, 'INSUFFICIENT_SCOPE')
    assert.match((await operator.run('keys', 'list', 'services@example.com')).output, /tokens:introspect .*Reports/)
  })
})

test('without a database no command creates one, and every command prints its own usage', async () => {
  const folder = temporaryFolder()
  try {
    const operator = operatorIn(folder.path, {})
    const missing = await operator.run('users', 'list')
    assert.deepEqual(
      [missing.code, readdirSync(folder.path, { recursive: true }).filter((name) => String(name).includes('.db'))],
      [1, []],
      missing.output,
    )
    assert.match(missing.output, /^No database found/)
    const { output: all } = await operator.run('--help')
    const names = [...all.matchAll(/^ {2}((?:users|sessions|keys|apps|rates) [\w-]+|[\w-]+) /gm)]
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('-'))
    assert.ok(names.length >= 15, all)
    const usages = await Promise.all(names.map((name) => operator.run(...name.split(' '), '--help')))
    for (const [n, { code, output }] of usages.entries()) {
      assert.equal(code, 0)
      assert.ok(output.startsWith(`Usage: paylink-auth ${names[n]}`), output)
      assert.match(output, /^Exit codes: 0 success/m)
    }
  } finally {
    folder.remove()
  }
})
