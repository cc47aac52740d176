import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createAccessTokens } from '../../../../src/domain/sign-in/access-token.ts'
import { systemRandom } from '../../../../src/lib/random.ts'
import { loadConfig } from '../../../../src/config/load-config.ts'
import { manualClock } from '../../../support/clock.ts'

const TOKENS = 30_000
/** 10,000 tokens with their claims take about 9 MiB, all of them about 24. */
const MAX_MIB = 14

test('many sign-ins do not fill the memory: only the latest verified tokens are cached', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed / 2 ** 20
  }
  const config = loadConfig({ JWT_SECRET: 'a-test-secret-of-more-than-thirty-two-bytes' }, () => assert.fail())
  const { issue, verify } = createAccessTokens(config, manualClock(), systemRandom)
  const subject = { userId: 'a-user', role: 'USER', tokenVersion: 0, amr: 'magic_link', lifetimeSeconds: 3600 } as const
  assert.ok(verify(issue(subject)))
  const before = used()
  for (let n = 0; n < TOKENS; n += 1) assert.ok(verify(issue(subject)))
  const grown = used() - before
  assert.ok(grown < MAX_MIB, `${grown} MiB more`)
})
