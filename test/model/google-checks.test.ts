/** Every check of a sign-in with Google is worth its line: without it, some test fails by what it asserts. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support/files.ts'

/** What is replaced, by what, and which test is to notice: its file, and a part of its name. */
type Removed = readonly [right: string, wrong: string, file: string, name: string]

/** By the file of the feature, the checks in the order of the file. */
const checks: Readonly<Record<string, readonly Removed[]>> = {
  'domain/google/id-token': [
    ['{1,255}$', '{0,255}$', 'attacks/domain/google/id-token.claims', 'about nobody'],
    ['{1,255}$', '{1,}$', 'attacks/domain/google/id-token.claims', 'about nobody'],
    ['[\\\\x20-\\\\x7e]{1,255}', '[^]{1,255}', 'attacks/domain/google/account-linking', 'letter case'],
    ['iat: Type.Number()', 'iat: Type.Any()', 'attacks/domain/google/id-token.time', 'from the future'],
    ['exp: Type.Number()', 'exp: Type.Any()', 'attacks/domain/google/id-token.time', 'that is over'],
    [
      'nbf: Type.Optional(Type.Number())',
      'nbf: Type.Optional(Type.Any())',
      'attacks/domain/google/id-token.time',
      'before its time',
    ],
    [
      'hd: Type.Optional(Type.String())',
      'hd: Type.Optional(Type.Any())',
      'attacks/domain/google/id-token.address',
      'an hd that is no text',
    ],
    [
      'email: Type.Optional(Type.String())',
      'email: Type.Optional(Type.Any())',
      'attacks/domain/google/id-token.address',
      'that is no text',
    ],
    ['if (token.length > LONGEST_TOKEN) throw invalid()', '', 'attacks/domain/google/id-token.form', '8192'],
    ['issuers.has(claims.iss)', 'true', 'attacks/domain/google/id-token.claims', 'not Google to the letter'],
    ["issuer.replace(/^https?:\\/\\//, '')", 'issuer', 'attacks/domain/google/id-token.claims', 'both forms'],
    ['claims.aud === clientId', 'true', 'attacks/domain/google/id-token.claims', 'for somebody else'],
    [
      '(claims.azp ?? clientId) === clientId',
      'true',
      'attacks/domain/google/id-token.claims',
      'another client asked for',
    ],
    ['claims.exp > nowSeconds', 'true', 'attacks/domain/google/id-token.time', 'that is over'],
    ['claims.exp > nowSeconds', 'claims.exp >= nowSeconds', 'attacks/domain/google/id-token.time', 'that is over'],
    [
      'claims.exp <= claims.iat + LONGEST_LIFE_SECONDS',
      'true',
      'attacks/domain/google/id-token.time',
      'of more than a day',
    ],
    ['claims.iat <= nowSeconds + AHEAD_SECONDS', 'true', 'attacks/domain/google/id-token.time', 'from the future'],
    ['claims.iat >= nowSeconds - OLDEST_SECONDS', 'true', 'attacks/domain/google/id-token.time', 'older than an hour'],
    [
      '(claims.nbf ?? 0) <= nowSeconds + AHEAD_SECONDS',
      'true',
      'attacks/domain/google/id-token.time',
      'before its time',
    ],
    ['claims.email_verified === true', 'true', 'attacks/domain/google/id-token.address', 'has not verified'],
    [
      'claims.email_verified === true',
      'claims.email_verified',
      'attacks/domain/google/id-token.address',
      'has not verified',
    ],
    [
      "parseEmailAddress(claims.email ?? '')",
      'claims.email',
      'attacks/domain/google/id-token.address',
      'several in one',
    ],
    ["token.slice(0, token.lastIndexOf('.'))", 'token', 'attacks/api/google/one-tap', 'other spelling'],
    ['claims.exp * 1000', '0', 'attacks/api/google/one-tap', 'remembered until'],
    ["typ !== 'JWT'", 'false', 'attacks/domain/google/id-token.form', 'a header that asks for more'],
    ['crit !== undefined', 'false', 'attacks/domain/google/id-token.form', 'a header that asks for more'],
    ['fatal: true', 'fatal: false', 'attacks/domain/google/id-token.form', 'no JSON object in UTF-8'],
    ['? invalid() : error', '? error : error', 'attacks/domain/google/id-token.form', 'a signature that is wrong'],
    ["domain === 'gmail.com'", 'false', 'attacks/domain/google/id-token.address', 'where Google runs the mailbox'],
    ["told.toLowerCase().endsWith('@gmail.com')", 'true', 'attacks/domain/google/id-token.address', 'anywhere else'],
    [
      'hd !== undefined && domainToASCII(hd) === domain',
      'false',
      'attacks/domain/google/id-token.address',
      'where Google runs the mailbox',
    ],
    ['domainToASCII(hd) === domain', "hd !== ''", 'attacks/domain/google/id-token.address', 'anywhere else'],
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
    ['cooldownMs: MINUTE_MS / 2', 'cooldownMs: 0', 'attacks/domain/google/id-token.key', 'two hundred unknown kids'],
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
    ["typeof n !== 'string'", 'n === undefined', 'attacks/domain/google/id-token.key', 'a modulus that is no text'],
    ["alg !== 'RS256'", 'false', 'attacks/domain/google/id-token.key', 'of another algorithm'],
    ["use !== 'sig'", 'false', 'attacks/domain/google/id-token.key', 'for encryption'],
    ['|| d !== undefined', '', 'attacks/domain/google/google-keys', 'with its private part'],
    ["|| !operations.includes('verify')", '', 'attacks/domain/google/google-keys', 'operations are encryption'],
    ['modulus.length * 8 >= SHORTEST_MODULUS', 'true', 'attacks/domain/google/id-token.key', 'of 1024 bits'],
    ['(modulus[0] ?? 0) >= 0x80', 'true', 'attacks/domain/google/id-token.key', 'of 2047 bits'],
    ["e === 'AQAB'", 'true', 'attacks/domain/google/id-token.key', 'of exponent 3'],
  ],
  'domain/google/google-client': [
    ["code_challenge_method: 'S256',", '', 'api/google/start', 'exactly the parameters'],
    [
      'await openid.calculatePKCECodeChallenge(codeVerifier)',
      'codeVerifier',
      'api/google/start',
      'the challenge is the SHA-256',
    ],
  ],
  'domain/google/google-sign-in': [
    ['if (!(await spend(trx, tokenHash, expiresAtMs, issuedAtMs)))', 'if (false)', 'api/google/one-tap', 'works once'],
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
    [
      '=> spendToken(trx, googleUser)',
      '=> Promise.resolve()',
      'api/google/connect',
      'a credential that signed somebody in',
    ],
  ],
  'api/google/disconnect': [
    ['requireRecentSignIn(caller, clock.now())', '', 'api/google/disconnect', 'a sign-in of ten minutes ago'],
  ],
  'api/google/flow-cookie': [
    ['httpOnly: true', 'httpOnly: false', 'api/google/flow-cookie', 'is for HTTP only'],
    ["sameSite: 'lax'", "sameSite: 'none'", 'api/google/flow-cookie', 'is for HTTP only'],
    ['secure: isSecure', 'secure: false', 'api/google/flow-cookie', 'with TLS'],
    ["isSecure ? '__Host-' : ''", "''", 'api/google/flow-cookie', 'with TLS'],
    [
      'currentDate: new Date(clock.now())',
      'currentDate: new Date(0)',
      'api/google/flow-cookie',
      'lives for ten minutes by our clock',
    ],
  ],
  'api/google/callback': [
    ['known.state === state', 'true', 'api/google/callback', 'a state that no cookie'],
    [
      '(await spend(db, sha256(flow.state), flow.exp * 1000, startedAtMs))',
      'true',
      'attacks/api/google/callback',
      'kept cookie',
    ],
    ['flows.clearAll(request, reply)', 'void 0', 'api/google/callback', 'a state that no cookie'],
    ['flows.clear(reply, flow.cookie)', 'void 0', 'api/google/callback', 'takes the cookie back'],
    [
      "if (iss !== undefined && iss !== google.settings.issuer) throw new ApiError('OAUTH_STATE_INVALID')",
      '',
      'attacks/api/google/callback.query',
      'not the issuer to the letter',
    ],
    ["if (error !== undefined) throw new ApiError('OAUTH_DENIED')", '', 'api/google/callback', 'a refused consent'],
    [
      'if (request.validationError) throw request.validationError',
      '',
      'attacks/api/google/callback.query',
      '8 KB long',
    ],
    [
      'parseRedirectTarget(config.appUrl, flow.redirectTo)',
      'flow.redirectTo',
      'attacks/api/google/start',
      'checked again',
    ],
  ],
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const AT_A_TIME = 2
/** No run takes so long, unless it has no end. */
const LONGEST_MS = 300_000

type TemporaryFolder = ReturnType<typeof temporaryFolder>

/** Copies of the tree that nobody is using. A run leaves compiled files in its copy, for the next one. */
const copies: TemporaryFolder[] = []

function copyTree(): TemporaryFolder {
  const folder = temporaryFolder()
  for (const part of [
    'src',
    'web/dist',
    'test/support',
    'test/api/google',
    'test/domain/google',
    'test/attacks',
    'test/faults',
    'package.json',
    'openapi.json',
  ]) {
    cpSync(join(root, part), join(folder.path, part), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'))
  return folder
}

type Replacement = readonly [file: string, right: string, wrong: string]

/** Runs the test in a copy of the service that lacks the check; it must fail by an assertion, and not by an accident. */
async function assertNoticed(replaced: readonly Replacement[], file: string, name: string): Promise<void> {
  const copy = copies.pop() ?? assert.fail('there is no copy')
  const put = (path: string, change: (text: string) => string): void => {
    const text = readFileSync(join(root, 'src', path), 'utf8')
    writeFileSync(join(copy.path, 'src', path), change(text))
  }
  try {
    for (const [path, right, wrong] of replaced) {
      put(path, (text) => {
        assert.equal(text.split(right).length, 2, `${right} is not there once`)
        return text.replace(right, () => wrong)
      })
    }
    const { code, output } = await run(copy.path, file, name)
    assert.equal(code, 1, output)
    assert.match(output, /code: 'ERR_ASSERTION'/)
    assert.match(output, /ℹ fail [1-9]/)
  } finally {
    for (const [path] of replaced) put(path, (text) => text)
    copies.push(copy)
  }
}

async function run(cwd: string, file: string, name: string): Promise<{ code: number | null; output: string }> {
  const { PATH = '' } = process.env
  const env = { PATH, NODE_COMPILE_CACHE: join(cwd, 'compiled') }
  const options = ['--test-reporter=spec', `--test-name-pattern=${name}`]
  const command = [...options, `test/${file}.test.ts`]
  const child = spawn(process.execPath, command, { cwd, env, timeout: LONGEST_MS, killSignal: 'SIGKILL' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

describe('a test notices that it is gone:', { concurrency: AT_A_TIME }, () => {
  before(() => {
    while (copies.length < AT_A_TIME) copies.push(copyTree())
  })
  after(() => {
    for (const copy of copies) copy.remove()
  })

  for (const [path, removed] of Object.entries(checks)) {
    for (const [right, wrong, file, name] of removed) {
      test(`${path}, ${right} as ${wrong === '' ? 'nothing' : wrong}`, () =>
        assertNoticed([[`${path}.ts`, right, wrong]], file, name))
    }
  }

  // Of what is checked in two places neither is missed while the other is there.
  test('the nonce, by us and by the library', () =>
    assertNoticed(
      [
        ['domain/google/id-token.ts', 'claims.nonce === expected.nonce', 'true'],
        ['domain/google/google-client.ts', 'expectedNonce: nonce', 'expectedNonce: undefined'],
      ],
      'attacks/domain/google/id-token.claims',
      'a nonce that is missing',
    ))

  test('the algorithm, of the token and of the key', () =>
    assertNoticed(
      [
        ['domain/google/id-token.ts', ", { algorithms: ['RS256'] }", ''],
        ['domain/google/google-keys.ts', "kty: 'RSA', alg: 'RS256', use: 'sig', kid", "kty: 'RSA', kid"],
      ],
      'attacks/domain/google/id-token.algorithm',
      'another algorithm',
    ))
})
