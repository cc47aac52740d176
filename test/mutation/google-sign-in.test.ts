/** Mutation test of the checks in a sign-in with Google: without any one of them, a test fails by an assertion. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { plantedIn } from '../support/faults/planted-source.ts'
import { PRELOAD, COMPILE_CACHE } from '../support/runner/test-process.ts'
import type { Planted } from '../support/faults/planted-source.ts'

/** The replaced code, its replacement, and the test that must fail: its file, and a part of its name. */
type Removed = readonly [right: string, wrong: string, file: string, name: string]

/** By source file; checks in the order of the code. */
const checks: Readonly<Record<string, readonly Removed[]>> = {
  'domain/google/id-token': [
    ['{1,255}$', '{0,255}$', 'attacks/domain/google/id-token.claims', 'if sub is not'],
    ['{1,255}$', '{1,}$', 'attacks/domain/google/id-token.claims', 'if sub is not'],
    ['[\\\\x20-\\\\x7e]{1,255}', '[^]{1,255}', 'attacks/domain/google/account-linking', 'letter case'],
    ['iat: Type.Number()', 'iat: Type.Any()', 'attacks/domain/google/id-token.time', 'whose iat is missing'],
    ['exp: Type.Number()', 'exp: Type.Any()', 'attacks/domain/google/id-token.time', 'from the second of its exp'],
    [
      'nbf: Type.Optional(Type.Number())',
      'nbf: Type.Optional(Type.Any())',
      'attacks/domain/google/id-token.time',
      'whose nbf',
    ],
    [
      'hd: Type.Optional(Type.String())',
      'hd: Type.Optional(Type.Any())',
      'attacks/domain/google/id-token.address',
      'an hd that is not a string',
    ],
    [
      'email: Type.Optional(Type.String())',
      'email: Type.Optional(Type.Any())',
      'attacks/domain/google/id-token.address',
      'an address that is not a string',
    ],
    ['if (token.length > MAX_TOKEN_LENGTH) throw invalid()', '', 'attacks/domain/google/id-token.form', '8192'],
    ['issuers.has(claims.iss)', 'true', 'attacks/domain/google/id-token.claims', 'if iss differs'],
    ["issuer.replace(/^https?:\\/\\//, '')", 'issuer', 'attacks/domain/google/id-token.claims', 'both forms'],
    ['claims.aud === clientId', 'true', 'attacks/domain/google/id-token.claims', 'if aud is not'],
    ['(claims.azp ?? clientId) === clientId', 'true', 'attacks/domain/google/id-token.claims', 'if azp names'],
    ['claims.exp > nowSeconds', 'true', 'attacks/domain/google/id-token.time', 'from the second of its exp'],
    [
      'claims.exp > nowSeconds',
      'claims.exp >= nowSeconds',
      'attacks/domain/google/id-token.time',
      'from the second of its exp',
    ],
    ['claims.exp <= claims.iat + MAX_LIFETIME_SECONDS', 'true', 'attacks/domain/google/id-token.time', 'exceeds a day'],
    [
      'claims.iat <= nowSeconds + CLOCK_SKEW_SECONDS',
      'true',
      'attacks/domain/google/id-token.time',
      'whose iat is missing',
    ],
    [
      'claims.iat >= nowSeconds - MAX_AGE_SECONDS',
      'true',
      'attacks/domain/google/id-token.time',
      'more than an hour ago',
    ],
    [
      '(claims.nbf ?? 0) <= nowSeconds + CLOCK_SKEW_SECONDS',
      'true',
      'attacks/domain/google/id-token.time',
      'whose nbf',
    ],
    ['claims.email_verified === true', 'true', 'attacks/domain/google/id-token.address', 'without email_verified'],
    [
      'claims.email_verified === true',
      'claims.email_verified',
      'attacks/domain/google/id-token.address',
      'without email_verified',
    ],
    [
      "parseEmailAddress(claims.email ?? '')",
      'claims.email',
      'attacks/domain/google/id-token.address',
      'several in one',
    ],
    ["token.slice(0, token.lastIndexOf('.'))", 'token', 'attacks/api/google/one-tap', 'other spelling'],
    ['claims.exp * 1000', '0', 'attacks/api/google/one-tap', 'is stored until'],
    ["typ !== 'JWT'", 'false', 'attacks/domain/google/id-token.form', 'a header with crit'],
    ['crit !== undefined', 'false', 'attacks/domain/google/id-token.form', 'a header with crit'],
    ['fatal: true', 'fatal: false', 'attacks/domain/google/id-token.form', 'not a JSON object in UTF-8'],
    ['? invalid() : error', '? error : error', 'attacks/domain/google/id-token.form', 'a signature that is wrong'],
    ["domain === 'gmail.com'", 'false', 'attacks/domain/google/id-token.address', 'where Google runs the mailbox'],
    [
      "rawEmail.toLowerCase().endsWith('@gmail.com')",
      'true',
      'attacks/domain/google/id-token.address',
      'any other address is unproven',
    ],
    [
      'hd !== undefined && domainToASCII(hd) === domain',
      'false',
      'attacks/domain/google/id-token.address',
      'where Google runs the mailbox',
    ],
    [
      'domainToASCII(hd) === domain',
      "hd !== ''",
      'attacks/domain/google/id-token.address',
      'any other address is unproven',
    ],
    [
      'domainToASCII(hd) === domain',
      'hd === domain',
      'attacks/domain/google/id-token.address',
      'where Google runs the mailbox',
    ],
  ],
  'domain/google/google-keys': [
    [
      'throw error\n      // Google',
      'throw error\n      throw error\n      // Google',
      'domain/google/google-keys',
      'a new one works',
    ],
    ['(await keys.refetch())', '(await keys.get())', 'domain/google/google-keys', 'a new one works'],
    ['cooldownMs: MINUTE_MS / 2', 'cooldownMs: 0', 'attacks/domain/google/id-token.key', 'forty unknown kids'],
    ['freshForMs: 10 * MINUTE_MS', 'freshForMs: 1440 * MINUTE_MS', 'domain/google/google-keys', 'a withdrawn one'],
    ['maxItems: KEYS_AT_MOST', '', 'faults/domain/google/google-keys', 'more than twenty'],
    ['!isKeySet.Check(answer)', 'false', 'faults/domain/google/google-keys', 'more than twenty'],
    [
      "if (keys.length === 0) throw new Error('the set has no key for RS256')",
      '',
      'attacks/domain/google/id-token.key',
      'for encryption',
    ],
    ["kty !== 'RSA'", 'false', 'attacks/domain/google/id-token.key', 'of another type'],
    [
      "typeof n !== 'string'",
      'n === undefined',
      'attacks/domain/google/id-token.key',
      'a modulus that is not a string',
    ],
    ["alg !== 'RS256'", 'false', 'attacks/domain/google/id-token.key', 'of another algorithm'],
    ["use !== 'sig'", 'false', 'attacks/domain/google/id-token.key', 'for encryption'],
    ['|| d !== undefined', '', 'attacks/domain/google/google-keys', 'with its private part'],
    ["|| !operations.includes('verify')", '', 'attacks/domain/google/google-keys', 'key_ops are encryption'],
    ['modulus.length * 8 >= SHORTEST_MODULUS', 'true', 'attacks/domain/google/id-token.key', 'of 1024 bits'],
    ['(modulus[0] ?? 0) >= 0x80', 'true', 'attacks/domain/google/id-token.key', 'of 2047 bits'],
    ["e === 'AQAB'", 'true', 'attacks/domain/google/id-token.key', 'of exponent 3'],
  ],
  'domain/google/google-client': [
    ["code_challenge_method: 'S256',", '', 'api/google/start', 'exactly the required parameters'],
    [
      'await openid.calculatePKCECodeChallenge(codeVerifier)',
      'codeVerifier',
      'api/google/start',
      'the challenge is the SHA-256',
    ],
  ],
  'domain/google/google-sign-in': [
    [
      'if (!(await spendCredential(trx, tokenHash, expiresAtMs, issuedAtMs)))',
      'if (false)',
      'api/google/one-tap',
      'works once',
    ],
  ],
  'api/google/credential': [
    [
      "await rateLimits.count(reply, ['sign-in-failures', clientNetwork(request.ip)])",
      '',
      'attacks/api/google/one-tap',
      'thirty failures',
    ],
  ],
  'api/google/one-tap': [
    ["crossSite: 'refused'", "crossSite: 'allowed' as never", 'api/google/one-tap', 'a page of another site'],
  ],
  'api/google/connect': [
    [
      'requireRecentSignIn(caller, clock.now())',
      'String(caller.signInId)',
      'api/google/connect',
      'a sign-in of ten minutes ago',
    ],
    ['=> spendToken(trx, googleUser)', '=> Promise.resolve()', 'api/google/connect', 'a credential already used'],
  ],
  'api/google/disconnect': [
    ['requireRecentSignIn(caller, clock.now())', '', 'api/google/disconnect', 'a sign-in of ten minutes ago'],
  ],
  'api/google/flow-cookie': [
    ['httpOnly: true', 'httpOnly: false', 'api/google/flow-cookie', 'HttpOnly, SameSite'],
    ["sameSite: 'lax'", "sameSite: 'none'", 'api/google/flow-cookie', 'HttpOnly, SameSite'],
    ['secure: isSecure', 'secure: false', 'api/google/flow-cookie', 'with TLS'],
    ["isSecure ? '__Host-' : ''", "''", 'api/google/flow-cookie', 'with TLS'],
    [
      'currentDate: new Date(clock.now())',
      'currentDate: new Date(0)',
      'api/google/flow-cookie',
      'expires after ten minutes on the server',
    ],
  ],
  'api/google/callback': [
    ['known.state === state', 'true', 'api/google/callback', 'a state unknown to'],
    [
      '(await spendCredential(db, sha256(flow.state), flow.exp * 1000, startedAtMs))',
      'true',
      'attacks/api/google/callback',
      'copied cookie',
    ],
    ['flows.clearAll(request, reply)', 'void 0', 'api/google/callback', 'a state unknown to'],
    ['flows.clear(reply, flow.cookie)', 'void 0', 'api/google/callback', 'clears the cookie'],
    [
      "if (iss !== undefined && iss !== google.settings.issuer) throw new ApiError('OAUTH_STATE_INVALID')",
      '',
      'attacks/api/google/callback.query',
      'differs from the issuer',
    ],
    ["if (error !== undefined) throw new ApiError('OAUTH_DENIED')", '', 'api/google/callback', 'a refused consent'],
    [
      'if (request.validationError) throw request.validationError',
      '',
      'attacks/api/google/callback.query',
      'overlong code',
    ],
    [
      'parseRedirectTarget(config.appUrl, flow.redirectTo)',
      'flow.redirectTo',
      'attacks/api/google/start',
      'checks the redirectTo again',
    ],
  ],
}

const root = join(import.meta.dirname, '../..')
const AT_A_TIME = 2
/** No run takes this long unless it hangs. */
const LONGEST_MS = 300_000

/** Runs the test in a service without the check; it must fail by an assertion. */
async function assertTestFails(planted: readonly Planted[], file: string, name: string): Promise<void> {
  const { env, option } = plantedIn(planted)
  const command = [PRELOAD, option, '--test-reporter=spec', `--test-name-pattern=${name}`, `test/${file}.test.ts`]
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  }
  const [code] = (await once(child, 'close')) as [number | null]
  assert.equal(code, 1, output)
  assert.match(output, /code: 'ERR_ASSERTION'/)
  assert.match(output, /ℹ fail [1-9]/)
}

describe('a test fails with', { concurrency: AT_A_TIME }, () => {
  for (const [path, removed] of Object.entries(checks)) {
    for (const [right, wrong, file, name] of removed) {
      test(`${path}, ${right} replaced by ${wrong === '' ? 'nothing' : wrong}`, () =>
        assertTestFails([{ path: `src/${path}.ts`, right, wrong }], file, name))
    }
  }

  // What two places check is missed only if both lack it.
  test('the nonce, checked by this service and by the library', () =>
    assertTestFails(
      [
        { path: 'src/domain/google/id-token.ts', right: 'claims.nonce === expected.nonce', wrong: 'true' },
        {
          path: 'src/domain/google/google-client.ts',
          right: 'expectedNonce: nonce',
          wrong: 'expectedNonce: undefined',
        },
      ],
      'attacks/domain/google/id-token.claims',
      'the nonce is missing',
    ))

  test('the algorithm, checked on the token and on the key', () =>
    assertTestFails(
      [
        { path: 'src/domain/google/id-token.ts', right: ", { algorithms: ['RS256'] }", wrong: '' },
        {
          path: 'src/domain/google/google-keys.ts',
          right: "kty: 'RSA', alg: 'RS256', use: 'sig', kid",
          wrong: "kty: 'RSA', kid",
        },
      ],
      'attacks/domain/google/id-token.algorithm',
      'another algorithm',
    ))
})
