import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { jwtVerify } from 'jose'
import {
  createAccessTokens,
  KEY_LIFETIME_SECONDS,
  SIGN_IN_LIFETIME_SECONDS,
} from '../../../src/domain/sign-in/access-token.ts'
import { systemRandom } from '../../../src/lib/random.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { manualClock } from '../../support/clock.ts'
import { mint, read, rightParts } from '../../support/accounts/tokens.ts'

const NOW_MS = Date.UTC(2026, 2, 1, 12, 0, 0, 750)
const NOW_SECONDS = Math.floor(NOW_MS / 1000)
const SECRET = 'un-secret-de-încercare-cu-semne-din-afara-ASCII-ăîșț'

const signIn = {
  userId: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10',
  role: 'USER',
  tokenVersion: 3,
  amr: 'magic_link',
  lifetimeSeconds: SIGN_IN_LIFETIME_SECONDS,
} as const

const exchange = {
  ...signIn,
  amr: 'api_key',
  apiKeyId: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11',
  lifetimeSeconds: KEY_LIFETIME_SECONDS,
} as const

/** The issuer and verifier of one process, with its configuration and clock. */
function processWith(secret = SECRET, verifying: readonly string[] = [], startMs = NOW_MS) {
  const config = loadConfig(
    {
      PUBLIC_URL: 'https://auth.example.com',
      SMTP_URL: 'smtp://127.0.0.1:1',
      JWT_SECRET: secret,
      JWT_SECRET_VERIFY: verifying.join(' '),
    },
    () => assert.fail('a secret was generated'),
  )
  const clock = manualClock(startMs)
  return { config, clock, ...createAccessTokens(config, clock, systemRandom) }
}

/** A valid token except for these claims. */
function tokenWith({ config }: ReturnType<typeof processWith>, claims: Record<string, unknown>): string {
  const right = rightParts(config, signIn.userId, NOW_MS)
  return mint({ ...right, claims: { ...right.claims, ...claims } })
}

const hourFrom = (iat: number) => ({ iat, exp: iat + 3600 })

describe('a token', () => {
  test('of a sign-in has exactly these claims, of these types, for 604,800 seconds [J16]', () => {
    const { jti, ...rest } = read(processWith().issue(signIn)).claims
    assert.match(String(jti), /^[0-9a-f-]{36}$/)
    assert.deepEqual(rest, {
      iss: 'https://auth.example.com',
      sub: signIn.userId,
      aud: 'https://auth.example.com/api/v1',
      iat: NOW_SECONDS,
      exp: NOW_SECONDS + 604_800,
      amr: ['magic_link'],
      role: 'USER',
      tokenVersion: 3,
    })
  })

  test('of a key also has the key’s id, for 3,600 seconds [J16]', () => {
    const { jti: _, ...rest } = read(processWith().issue(exchange)).claims
    assert.deepEqual(rest, {
      iss: 'https://auth.example.com',
      sub: signIn.userId,
      aud: 'https://auth.example.com/api/v1',
      iat: NOW_SECONDS,
      exp: NOW_SECONDS + 3600,
      amr: ['api_key'],
      apiKeyId: exchange.apiKeyId,
      role: 'USER',
      tokenVersion: 3,
    })
  })

  test('has a header with the algorithm, the type and the kid of the secret, and no other field', () => {
    const kid = createHmac('sha256', SECRET).update('kid').digest('base64url').slice(0, 8)
    assert.deepEqual(read(processWith().issue(signIn)).header, { alg: 'HS256', typ: 'JWT', kid })
  })

  test('has a jti of its own, even when issued in the same moment as another', () => {
    const { issue } = processWith()
    const ids = Array.from({ length: 2000 }, () => read(issue(signIn)).claims['jti'])
    assert.equal(new Set(ids).size, ids.length)
  })

  test('is verified by another library with the UTF-8 bytes of JWT_SECRET', async () => {
    const verified = await jwtVerify(processWith().issue(exchange), new TextEncoder().encode(SECRET), {
      algorithms: ['HS256'],
      issuer: 'https://auth.example.com',
      audience: 'https://auth.example.com/api/v1',
      currentDate: new Date(NOW_MS),
    })
    assert.equal(verified.payload.sub, signIn.userId)
  })

  test('in the cache does not validate a token that differs in one character', () => {
    const { issue, verify } = processWith()
    const token = issue(signIn)
    assert.ok(verify(token))
    for (const [index, character] of [...token].entries()) {
      const other = `${token.slice(0, index)}${character === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`
      assert.equal(verify(other), undefined, `at ${index}`)
      assert.equal(verify(other), undefined, `at ${index}, again`)
    }
    assert.ok(verify(token))
  })

  test('verifies to the claims it was issued with', () => {
    const { issue, verify } = processWith()
    for (const subject of [signIn, exchange, { ...signIn, amr: 'google' as const }]) {
      const token = issue(subject)
      assert.deepEqual(verify(token), read(token).claims)
    }
  })
})

describe('a token is valid', () => {
  test('until the millisecond before exp, without leeway [J13]', () => {
    for (const subject of [signIn, exchange]) {
      const { issue, verify, clock } = processWith(SECRET, [], NOW_SECONDS * 1000)
      const token = issue(subject)
      clock.advance(subject.lifetimeSeconds * 1000 - 1000)
      assert.ok(verify(token), 'a second before')
      clock.advance(999)
      assert.ok(verify(token), 'a millisecond before')
      clock.advance(1)
      assert.equal(verify(token), undefined, 'at exp')
      clock.advance(1)
      assert.equal(verify(token), undefined, 'after')
    }
  })

  test('when its issuer’s clock is up to 60 seconds ahead, and not 61 [J14]', () => {
    const ours = processWith(SECRET, [], NOW_SECONDS * 1000)
    assert.ok(ours.verify(tokenWith(ours, hourFrom(NOW_SECONDS + 60))))
    assert.equal(ours.verify(tokenWith(ours, hourFrom(NOW_SECONDS + 61))), undefined)
    const ahead = processWith(SECRET, [], (NOW_SECONDS + 60) * 1000)
    assert.ok(ours.verify(ahead.issue(signIn)))
    assert.ok(ahead.verify(ours.issue(signIn)))
  })

  test('from nbf on, if it has one [J14]', () => {
    const { verify, clock, ...rest } = processWith(SECRET, [], NOW_SECONDS * 1000)
    const token = tokenWith({ verify, clock, ...rest }, { nbf: NOW_SECONDS + 1 })
    assert.equal(verify(token), undefined)
    clock.advance(1000)
    assert.ok(verify(token))
  })

  test('by the service’s clock, not the machine’s, for nbf', () => {
    const future = processWith(SECRET, [], NOW_MS + 10 * 365 * 24 * 3600 * 1000)
    const iat = Math.floor(future.clock.now() / 1000) - 1
    assert.ok(future.verify(tokenWith(future, { ...hourFrom(iat), nbf: iat })))
  })
})

describe('rotation of secrets', () => {
  const older = randomBytes(48).toString('base64')
  const newer = randomBytes(48).toString('base64')

  test('keeps every token valid on every process at each step, and ends with the old secret refused [GHSA-675f-rq2r-jw82]', () => {
    const steps = {
      before: processWith(older),
      announced: processWith(older, [newer]),
      swapped: processWith(newer, [older]),
      dropped: processWith(newer),
    }
    const issued = {
      byOlder: steps.before.issue(signIn),
      byOlderAnnounced: steps.announced.issue(signIn),
      byNewer: steps.swapped.issue(signIn),
    }
    const isGood = (step: keyof typeof steps) =>
      Object.values(issued).map((token) => steps[step].verify(token) !== undefined)
    assert.deepEqual(isGood('before'), [true, true, false])
    assert.deepEqual(isGood('announced'), [true, true, true])
    assert.deepEqual(isGood('swapped'), [true, true, true])
    assert.deepEqual(isGood('dropped'), [false, false, true])
    assert.ok(steps.dropped.verify(steps.dropped.issue(signIn)))
  })

  test('a token is checked with the secret that its kid names, and no other', () => {
    const both = processWith(newer, [older])
    const right = rightParts(both.config, signIn.userId, NOW_MS)
    assert.ok(both.verify(mint(right)))
    assert.equal(both.verify(mint({ ...right, secret: older })), undefined)
  })
})
