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
  'id-token': [
    ['{1,255}$', '{0,255}$', 'id-token.claims-attacks', 'about nobody'],
    ['{1,255}$', '{1,}$', 'id-token.claims-attacks', 'about nobody'],
    ['[\\\\x20-\\\\x7e]{1,255}', '[^]{1,255}', 'joining.attacks', 'letter case'],
    ['iat: Type.Number()', 'iat: Type.Any()', 'id-token.time-attacks', 'from the future'],
    ['exp: Type.Number()', 'exp: Type.Any()', 'id-token.time-attacks', 'that is over'],
    ['nbf: Type.Optional(Type.Number())', 'nbf: Type.Optional(Type.Any())', 'id-token.time-attacks', 'before its time'],
    ['hd: Type.Optional(Type.String())', 'hd: Type.Optional(Type.Any())', 'id-token.address-attacks', 'an hd that is no text'],
    ['email: Type.Optional(Type.String())', 'email: Type.Optional(Type.Any())', 'id-token.address-attacks', 'that is no text'],
    ['if (token.length > LONGEST_TOKEN) throw invalid()', '', 'id-token.form-attacks', '8192'],
    ['issuers.has(claims.iss)', 'true', 'id-token.claims-attacks', 'not Google to the letter'],
    ['issuer.replace(/^https?:\\/\\//, \'\')', 'issuer', 'id-token.claims-attacks', 'both forms'],
    ['claims.aud === clientId', 'true', 'id-token.claims-attacks', 'for somebody else'],
    ['(claims.azp ?? clientId) === clientId', 'true', 'id-token.claims-attacks', 'another client asked for'],
    ['claims.exp > nowSeconds', 'true', 'id-token.time-attacks', 'that is over'],
    ['claims.exp > nowSeconds', 'claims.exp >= nowSeconds', 'id-token.time-attacks', 'that is over'],
    ['claims.exp <= claims.iat + LONGEST_LIFE_SECONDS', 'true', 'id-token.time-attacks', 'of more than a day'],
    ['claims.iat <= nowSeconds + AHEAD_SECONDS', 'true', 'id-token.time-attacks', 'from the future'],
    ['claims.iat >= nowSeconds - OLDEST_SECONDS', 'true', 'id-token.time-attacks', 'older than an hour'],
    ['(claims.nbf ?? 0) <= nowSeconds + AHEAD_SECONDS', 'true', 'id-token.time-attacks', 'before its time'],
    ['claims.email_verified === true', 'true', 'id-token.address-attacks', 'has not verified'],
    ['claims.email_verified === true', 'claims.email_verified', 'id-token.address-attacks', 'has not verified'],
    ["parseEmailAddress(claims.email ?? '')", 'claims.email', 'id-token.address-attacks', 'several in one'],
    ["token.slice(0, token.lastIndexOf('.'))", 'token', 'one-tap.attacks', 'other spelling'],
    ['claims.exp * 1000', '0', 'one-tap.attacks', 'remembered until'],
    ["typ !== 'JWT'", 'false', 'id-token.form-attacks', 'a header that asks for more'],
    ['crit !== undefined', 'false', 'id-token.form-attacks', 'a header that asks for more'],
    ['fatal: true', 'fatal: false', 'id-token.form-attacks', 'no JSON object in UTF-8'],
    ['? invalid() : error', '? error : error', 'id-token.form-attacks', 'a signature that is wrong'],
    ["domain === 'gmail.com'", 'false', 'id-token.address-attacks', 'where Google runs the mailbox'],
    ["told.toLowerCase().endsWith('@gmail.com')", 'true', 'id-token.address-attacks', 'anywhere else'],
    ['hd !== undefined && domainToASCII(hd) === domain', 'false', 'id-token.address-attacks', 'where Google runs the mailbox'],
    ['domainToASCII(hd) === domain', "hd !== ''", 'id-token.address-attacks', 'anywhere else'],
    ['domainToASCII(hd) === domain', 'hd === domain', 'id-token.address-attacks', 'where Google runs the mailbox'],
  ],
  'google-keys': [
    ['throw error\n      // Google', 'throw error\n      throw error\n      // Google', 'google-keys', 'a new one works'],
    ['(await keys.refetch())', '(await keys.get())', 'google-keys', 'a new one works'],
    ['cooldownMs: MINUTE_MS / 2', 'cooldownMs: 0', 'id-token.key-attacks', 'two hundred unknown kids'],
    ['freshForMs: 10 * MINUTE_MS', 'freshForMs: 1440 * MINUTE_MS', 'google-keys', 'a withdrawn one'],
    ['maxItems: KEYS_AT_MOST', '', 'google-keys.faults', 'more than twenty'],
    ['!isKeySet.Check(answer)', 'false', 'google-keys.faults', 'more than twenty'],
    ["if (keys.length === 0) throw new Error('the set has no key for RS256')", '', 'id-token.key-attacks', 'for encryption'],
    ["kty !== 'RSA'", 'false', 'id-token.key-attacks', 'of another type'],
    ["typeof n !== 'string'", 'n === undefined', 'id-token.key-attacks', 'a modulus that is no text'],
    ["alg !== 'RS256'", 'false', 'id-token.key-attacks', 'of another algorithm'],
    ["use !== 'sig'", 'false', 'id-token.key-attacks', 'for encryption'],
    ['|| d !== undefined', '', 'google-keys.attacks', 'with its private part'],
    ["|| !operations.includes('verify')", '', 'google-keys.attacks', 'operations are encryption'],
    ['modulus.length * 8 >= SHORTEST_MODULUS', 'true', 'id-token.key-attacks', 'of 1024 bits'],
    ['(modulus[0] ?? 0) >= 0x80', 'true', 'id-token.key-attacks', 'of 2047 bits'],
    ["e === 'AQAB'", 'true', 'id-token.key-attacks', 'of exponent 3'],
  ],
  'google-client': [
    ["code_challenge_method: 'S256',", '', 'start', 'exactly the parameters'],
    ['await openid.calculatePKCECodeChallenge(codeVerifier)', 'codeVerifier', 'start', 'the challenge is the SHA-256'],
  ],
  'sign-in': [
    ['if (!(await spend(trx, tokenHash, expiresAtMs, issuedAtMs)))', 'if (false)', 'one-tap', 'works once'],
    ["await rateLimits.count(reply, ['sign-in-failures', clientNetwork(request.ip)])", '', 'one-tap.attacks', 'thirty failures'],
  ],
  'one-tap': [["crossSite: 'refused'", "crossSite: 'allowed' as never", 'one-tap', 'a page of another site']],
  connect: [
    ['requireRecentSignIn(caller, clock.now())', 'String(caller.signInId)', 'connect', 'a sign-in of ten minutes ago'],
    ['=> spendToken(trx, googleUser)', '=> Promise.resolve()', 'connect', 'a credential that signed somebody in'],
  ],
  disconnect: [['requireRecentSignIn(caller, clock.now())', '', 'disconnect', 'a sign-in of ten minutes ago']],
  'flow-cookie': [
    ['httpOnly: true', 'httpOnly: false', 'flow-cookie', 'is for HTTP only'],
    ["sameSite: 'lax'", "sameSite: 'none'", 'flow-cookie', 'is for HTTP only'],
    ['secure: isSecure', 'secure: false', 'flow-cookie', 'with TLS'],
    ["isSecure ? '__Host-' : ''", "''", 'flow-cookie', 'with TLS'],
    ['currentDate: new Date(clock.now())', 'currentDate: new Date(0)', 'flow-cookie', 'lives for ten minutes by our clock'],
  ],
  callback: [
    ['known.state === state', 'true', 'callback', 'a state that no cookie'],
    ['(await spend(db, sha256(flow.state), flow.exp * 1000, startedAtMs))', 'true', 'callback.attacks', 'kept cookie'],
    ['flows.clearAll(request, reply)', 'void 0', 'callback', 'a state that no cookie'],
    ['flows.clear(reply, flow.cookie)', 'void 0', 'callback', 'takes the cookie back'],
    ["if (iss !== undefined && iss !== google.settings.issuer) throw new ApiError('OAUTH_STATE_INVALID')", '', 'callback.query-attacks', 'not the issuer to the letter'],
    ["if (error !== undefined) throw new ApiError('OAUTH_DENIED')", '', 'callback', 'a refused consent'],
    ['if (request.validationError) throw request.validationError', '', 'callback.query-attacks', '8 KB long'],
    ['parseRedirectTarget(config.appUrl, flow.redirectTo)', 'flow.redirectTo', 'start.attacks', 'checked again'],
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
  for (const part of ['src', 'web/dist', 'test/support', 'test/features/google', 'package.json', 'openapi.json']) {
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
    const text = readFileSync(join(root, 'src/features/google', path), 'utf8')
    writeFileSync(join(copy.path, 'src/features/google', path), change(text))
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
  const command = [...options, `test/features/google/${file}.test.ts`]
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
        ['id-token.ts', 'claims.nonce === expected.nonce', 'true'],
        ['google-client.ts', 'expectedNonce: nonce', 'expectedNonce: undefined'],
      ],
      'id-token.claims-attacks',
      'a nonce that is missing',
    ))

  test('the algorithm, of the token and of the key', () =>
    assertNoticed(
      [
        ['id-token.ts', ", { algorithms: ['RS256'] }", ''],
        ['google-keys.ts', "kty: 'RSA', alg: 'RS256', use: 'sig', kid", "kty: 'RSA', kid"],
      ],
      'id-token.algorithm-attacks',
      'another algorithm',
    ))
})
