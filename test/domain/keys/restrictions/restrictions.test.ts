import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  allowedCurrencies,
  hasScope,
  isFromAllowedNetwork,
  isWithin,
  narrow,
  parseRestrictions,
  storeRestrictions,
} from '../../../../src/domain/keys/restrictions/restrictions.ts'
import type {
  Amounts,
  Restrictions,
  StoredRestrictions,
} from '../../../../src/domain/keys/restrictions/restrictions.ts'
import { scopeNames } from '../../../../src/domain/keys/restrictions/scopes.ts'
import { currencies } from '../../../../src/domain/payment-links/currency.ts'

const someAmounts = fc.dictionary(fc.constantFrom(...currencies), fc.integer({ min: 1, max: 5 }), {
  noNullPrototype: true,
})
const restrictions = fc.record(
  {
    scopes: fc.uniqueArray(fc.constantFrom(...scopeNames)),
    networks: fc.uniqueArray(fc.constantFrom('10.0.0.0/8', '10.1.0.0/16', '192.0.2.0/24', '2001:db8::/32')),
    currencies: fc.uniqueArray(fc.constantFrom(...currencies)),
    maxAmount: someAmounts,
    dailyAmount: someAmounts,
  },
  { requiredKeys: [], noNullPrototype: true },
) as fc.Arbitrary<Restrictions>
const stored: fc.Arbitrary<StoredRestrictions> = fc.oneof(fc.constant(null), restrictions.map(storeRestrictions))

/** Everything that restrictions can allow or refuse. */
function allowed(text: StoredRestrictions): Set<string> {
  const parsed = parseRestrictions(text)
  const inCurrencies = parsed === null ? currencies : allowedCurrencies(parsed)
  return new Set([
    ...scopeNames.filter((scope) => hasScope(parsed, scope)),
    ...['10.0.0.1', '10.1.0.1', '192.0.2.1', '2001:db8::1', '203.0.113.1'].filter((ip) =>
      isFromAllowedNetwork(parsed, ip),
    ),
    ...inCurrencies.flatMap((currency) =>
      [1, 2, 3, 4, 5, 6].flatMap((amount) => {
        const isAllowed = (amounts: Amounts | undefined) => amount <= (amounts?.[currency] ?? 6)
        const one = isAllowed(parsed?.maxAmount) ? [`one of ${amount} ${currency}`] : []
        return isAllowed(parsed?.dailyAmount) ? one.concat(`${amount} ${currency} a day`) : one
      }),
    ),
  ])
}

test('the combination of two restrictions allows exactly what both allow', () => {
  fc.assert(
    fc.property(stored, stored, (one, other) => {
      assert.deepEqual(allowed(narrow(one, other)), allowed(one).intersection(allowed(other)))
      assert.equal(narrow(other, one), narrow(one, other))
      assert.equal(narrow(one, one), one)
    }),
    { numRuns: 150 },
  )
})

test('restrictions are within others exactly if they allow nothing more', () => {
  fc.assert(
    fc.property(stored, stored, (one, other) => {
      const isSubset = allowed(one).isSubsetOf(allowed(other))
      if (isWithin(one, other)) assert.ok(isSubset)
      assert.equal(isWithin(narrow(one, other), one), true)
      if (!isSubset) assert.equal(isWithin(one, other), false)
    }),
    { numRuns: 150 },
  )
})

test('restrictions that restrict nothing are stored as none, and equal ones as the same text', () => {
  assert.equal(storeRestrictions({}), null)
  assert.equal(storeRestrictions(null), null)
  assert.equal(
    storeRestrictions({ networks: ['10.1.2.3/8'], scopes: ['keys:read', 'account:read'] }),
    storeRestrictions({ scopes: ['account:read', 'keys:read'], networks: ['10.0.0.0/8', '10.9.0.0/16'] }),
  )
})
