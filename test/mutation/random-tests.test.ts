/** Mutation test of the random tests: each finds a bug planted into an endpoint or into the guard of writes. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { document } from '../support/documented.ts'
import { plantedIn } from '../support/faults/planted-source.ts'
import { PRELOAD, COMPILE_CACHE } from '../support/runner/test-process.ts'

/** The replaced code, its replacement, and a seed that finds the bug early, which makes the test deterministic. */
type Bug = readonly [right: string, wrong: string, seed: number]

/**
 * By endpoint: bugs that the random lives find. After a change of the steps a seed may find its bug late: omit
 * FUZZ_SEED in `assertFound` below a few times, and use one of the seeds it prints.
 */
const bugs: Readonly<Record<string, Bug>> = {
  'magic-link/request-link': ["kind: 'sign_in', email, locale", "kind: 'sign_in', email: `x${email}`, locale", 2],
  'magic-link/verify-link': ['await consumeLink(', 'await findLink(', 1],
  'magic-link/inspect-link': ['maskEmailAddress(link.email)', 'link.email', -1892072477],
  'magic-link/inspect-button': ['usedAtMs === null ? null', 'usedAtMs !== null ? null', 1],
  'sessions/list-sessions': ['sessions.map(', 'sessions.slice(1).map(', 1],
  'sessions/revoke-session': ['await endSignIn(deps, trx, { user, signIn }, request)', '', 1],
  'sessions/sign-out': ['endCallersSignIn(deps, trx, { caller, user }, request)', 'Promise.resolve()', 1],
  'magic-link/not-me': ['await insertPause(trx, action.email, nowMs)', '', 6],
  'magic-link/resume-mail': ['await deletePause(trx, button.email)', '', 21],
  'magic-link/undo-email': ["await markAllUsed(trx, 'undo_email', button.email, nowMs)", '', 4],
  'api-keys/signup': ['name, claimedAtMs: null', 'name, claimedAtMs: 1', 5],
  'api-keys/exchange-token': ["status === 'ACTIVE'", 'status !== undefined', 11],
  'api-keys/list-keys': ['keys.map(', 'keys.slice(1).map(', 508164933],
  'api-keys/create-key': ["await recordCallerAsMaker(trx, deps, caller, { keyId: key.row.id, how: 'created' })", '', 2],
  'api-keys/update-key': ['if (isWider) requirePersonToWiden(caller)', '', 2],
  'api-keys/revoke-key': ["request.query.withDescendants === 'true'", 'false', 11],
  'api-keys/rotate-key': ["statusOf(key, nowMs) !== 'ACTIVE'", 'false', 2],
  'api-keys/keep-key': ['caller.apiKeyId !== null', 'false', 14],
  'api-keys/list-descendants': ['descendants.map(', 'descendants.slice(1).map(', 15],
  'api-keys/list-uses': ['key === undefined', 'key !== undefined', 1],
  'api-keys/report-leaked': ['await setRevoked(trx, own.map(({ id }) => id), nowMs)', '', 14],
  'users/get-me': ['toUserAnswer(account,', 'toUserAnswer({ ...account, name: null },', 4],
  'users/update-me': ['await renameUser(trx, user.id, name)', '', 4],
  'users/change-email': ['newEmail: email,', 'newEmail: `x${email}`,', 1],
  'users/confirm-email': ['tokenVersion: user.token_version,', 'tokenVersion: caller.tokenVersion,', 4],
  'users/delete-me': ['requireRecentSignIn(caller, nowMs)', '', 1],
  'users/export-me': ['pause === undefined ? null', 'pause !== null ? null', 1],
  'users/revoke-tokens': ['await incrementTokenVersion(trx, user.id)', '', 9],
  'google/start': ['await flows.add(request, reply, { ...flow, redirectTo: target })', '', 1],
  'google/callback': ["if (error !== undefined) throw new ApiError('OAUTH_DENIED')", '', 1],
  'google/one-tap': [
    'signIn(deps, { googleUser,',
    'signIn(deps, { googleUser: { ...googleUser, isAuthoritative: true },',
    1,
  ],
  'google/get-connection': ['toConnectionAnswer(identity)', 'toConnectionAnswer(undefined)', 1],
  'google/connect': ['if (connected?.subject === googleUser.subject) return connected', '', 6],
  'google/disconnect': ['await deleteIdentity(trx, connected)', '', 1],
  'events/list-events': ['found.slice(0, limit)', 'found.slice(1, limit)', 1196412307],
  'payment-links/create-payment-link': ['api_key_id: caller.apiKeyId', 'api_key_id: null', 1],
  'payment-links/get-payment-link': ['findPaymentLink(db, id, userId)', 'findPaymentLink(db, id, undefined)', 1],
  'payment-links/list-payment-links': ['links.map((link)', 'links.slice(0, 1).map((link)', 1],
  'payment-links/deactivate-payment-link': ['await deactivatePaymentLink(trx, user.id, link.id, nowMs)', '', 1],
  'payment-links/get-public-payment-link': ['statusOfPaymentLink(link, clock.now())', "'ACTIVE'", 1],
  'oauth/token': ['expires_in: KEY_LIFETIME_SECONDS', 'expires_in: 60', 1],
  'oauth/introspect': ['!hasScope(parseRestrictions(key.effective_restrictions), SCOPE)', 'false', 1],
  'oauth/revoke': ['await keys.authenticate(', 'void (', 1],
  'oauth/authorize': [', 302)', ', 301)', 1],
  'oauth/inspect-authorization': ['requireOwner(caller)', '', 1],
  'oauth/decide-authorization': ['requireOwner(caller)', '', 1],
  'oauth/list-apps': ['requirePersonIfClaimed(caller, caller.account)', '', 11],
  'oauth/revoke-app': ['found === undefined', 'found !== undefined', 1],
  'check/check': ['apiKeyId !== null', 'false', 1],
  'configuration/get-config': ['signup: config.signup', "signup: 'closed'", -1503852762],
  'configuration/get-index': ['`${publicUrl}/llms.txt`', '`${publicUrl}/llms`', -1503852762],
}

/** The file of the bug, for an endpoint whose rule is elsewhere. */
const rules: Readonly<Record<string, string>> = {
  'api-keys/exchange-token': 'src/domain/keys/authenticate-key.ts',
  'oauth/token': 'src/api/oauth/client-credentials-grant.ts',
  'magic-link/not-me': 'src/domain/undo/not-me.ts',
  'magic-link/undo-email': 'src/domain/undo/press-undo.ts',
  'payment-links/create-payment-link': 'src/domain/payment-links/operations/create-link.ts',
  'payment-links/get-payment-link': 'src/domain/payment-links/operations/read-links.ts',
  'payment-links/list-payment-links': 'src/domain/payment-links/operations/read-links.ts',
  'payment-links/deactivate-payment-link': 'src/domain/payment-links/operations/deactivate-link.ts',
  'users/export-me': 'src/domain/users/account-export.ts',
}

/** Cases per run: sixty lives, stories of a claim, or requests to the one operation. */
const runs = {
  life: { cases: 2100, options: [] },
  'payment-links': { cases: 2100, options: [] },
  // More cases, because the seed alone does not determine which of two calls comes first.
  claim: { cases: 4000, options: [] },
  'openapi-fuzz': { cases: 60, options: ['--test-name-pattern=rotate'] },
}

const root = join(import.meta.dirname, '../..')

/** Runs the test in a service with the bug; it must fail because of a generated case. */
async function assertFound(name: keyof typeof runs, path: string, [right, wrong, seed]: Bug): Promise<void> {
  const { cases, options } = runs[name]
  const { env, option } = plantedIn([{ path, right, wrong }])
  const child = spawn(process.execPath, [PRELOAD, option, ...options, `test/model/${name}.test.ts`], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      FUZZ_SHRINK: 'off',
      FUZZ_SEED: String(seed),
      FUZZ_CASES: String(cases),
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...env,
    },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  assert.equal(code, 1, output)
  assert.match(output, new RegExp(`seed: ${seed}\\b`))
  assert.match(output, /Property failed/)
}

test('every operation of openapi.json has a planted bug', () => {
  const files = Object.keys(bugs).map((path) => readFileSync(join(root, `src/api/${path}.ts`), 'utf8'))
  const planted = files.map((text) => /operationId: '(\w+)'/.exec(text)?.[1])
  const operations = Object.values<any>(document.paths).flatMap((path) => Object.values<any>(path))
  assert.deepEqual(new Set(planted), new Set(operations.map(({ operationId }) => operationId)))
})

describe('the random tests find', { concurrency: 2 }, () => {
  for (const [path, bug] of Object.entries(bugs)) {
    test(`a bug in ${path}, and print the seed`, () =>
      assertFound(
        path.startsWith('payment-links/') ? 'payment-links' : 'life',
        rules[path] ?? `src/api/${path}.ts`,
        bug,
      ))
  }

  test('a write that does not check its token again', () =>
    assertFound('claim', 'src/domain/sign-in/authority.ts', [
      'user === undefined || !isTokenStateValid(deps.config, caller, state, nowMs)',
      'user === undefined',
      2,
    ]))

  test('a claim that keeps the thief’s Google account', () =>
    assertFound('claim', 'src/domain/users/claim.ts', ['await deleteIdentitiesOf(trx, user.id)', '', 2]))

  test('a kept key whose links stay held back', () =>
    assertFound('payment-links', 'src/domain/payment-links/payment-link-store.ts', [
      "and how = 'kept' limit 1",
      "and how = 'created' limit 1",
      1,
    ]))

  test('an Idempotency-Key shared by two families of keys', () =>
    assertFound('payment-links', 'src/domain/idempotency/idempotency.ts', ['`${scope}\\n${key}`', 'key', 1]))

  test('an endpoint that refuses a valid request', () =>
    assertFound('openapi-fuzz', 'src/api/api-keys/rotate-key.ts', ["statusOf(key, nowMs) !== 'ACTIVE'", 'true', 1]))
})
