import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violations } from '../support/faults/crash-history.ts'
import type { Entry, FinalState } from '../support/faults/crash-history.ts'

const account = 'a@example.com'
const state = (final: Partial<FinalState> = {}): FinalState => ({
  names: new Map([[account, null]]),
  mailed: new Set([account]),
  ...final,
})

const created: readonly Entry[] = [
  { op: 'signup', account, outcome: 'done' },
  { op: 'create-key', account, key: 'k', outcome: 'done' },
  { op: 'issue-token', account, key: 'k', token: 't', outcome: 'done' },
]

test('a correct history is accepted, with unknown outcomes either way', () => {
  const name = (value: string) => state({ names: new Map([[account, value]]) })
  const renamed: Entry[] = [
    ...created,
    { op: 'rename', account, name: 'one', outcome: 'done' },
    { op: 'rename', account, name: 'two', outcome: 'unknown' },
  ]
  assert.deepEqual(violations(renamed, name('one')), [])
  assert.deepEqual(violations(renamed, name('two')), [])
  for (const outcome of ['done', 'refused'] as const) {
    const log: Entry[] = [
      ...created,
      { op: 'revoke-key', account, key: 'k', outcome: 'unknown' },
      { op: 'exchange', account, key: 'k', outcome },
      { op: 'use-token', account, token: 't', outcome },
      { op: 'use-link', account, link: 'l', outcome: 'unknown' },
      { op: 'use-link', account, link: 'l', outcome },
    ]
    assert.deepEqual(violations(log, state()), [])
  }
})

const lost: Readonly<Record<string, readonly [readonly Entry[], FinalState]>> = {
  'the account is lost': [created, state({ names: new Map() })],
  'was never legal': [[...created, { op: 'rename', account, name: 'one', outcome: 'done' }], state()],
  'the key is lost': [[...created, { op: 'exchange', account, key: 'k', outcome: 'refused' }], state()],
  'works after its revocation': [
    [
      ...created,
      { op: 'revoke-key', account, key: 'k', outcome: 'done' },
      { op: 'exchange', account, key: 'k', outcome: 'done' },
    ],
    state(),
  ],
  'a revoked token works': [
    [
      ...created,
      { op: 'revoke-tokens', account, outcome: 'done' },
      { op: 'use-token', account, token: 't', outcome: 'done' },
    ],
    state(),
  ],
  'a live token is refused': [[...created, { op: 'use-token', account, token: 't', outcome: 'refused' }], state()],
  'worked again after it was used up': [
    [
      { op: 'use-link', account, link: 'l', outcome: 'done' },
      { op: 'use-link', account, link: 'l', outcome: 'done' },
    ],
    state(),
  ],
  'refused at its first use': [[{ op: 'use-link', account, link: 'l', outcome: 'refused' }], state()],
  'a mail was promised and none came': [
    [{ op: 'request-link', account, outcome: 'done' }],
    state({ mailed: new Set() }),
  ],
}

for (const [what, [log, final]] of Object.entries(lost)) {
  test(`the checker reports that ${what}`, () => {
    const found = violations(log, final)
    assert.equal(found.length, 1)
    assert.match(found[0] ?? '', new RegExp(what))
  })
}

test('a revocation of unknown outcome stays in force once it was observed', () => {
  const log: Entry[] = [
    ...created,
    { op: 'revoke-key', account, key: 'k', outcome: 'unknown' },
    { op: 'exchange', account, key: 'k', outcome: 'refused' },
    { op: 'exchange', account, key: 'k', outcome: 'done' },
  ]
  assert.match(violations(log, state())[0] ?? '', /works after its revocation/)
})
