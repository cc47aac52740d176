import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLink, makeLinks, listAllIds } from '../../../support/accounts/payment-links.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import * as fc from 'fast-check'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const deactivate = (token: string, id: string) => service.call(`POST /payment-links/${id}/deactivate`, { token })

test('a walk returns each existing link exactly once, however many are created and deactivated between its pages', async () => {
  const step = fc.record({ made: fc.nat(3), ended: fc.array(fc.nat(30), { maxLength: 3 }), passMs: fc.nat(1) })
  const walkOf = fc.record({
    before: fc.integer({ min: 0, max: 14 }),
    limit: fc.integer({ min: 1, max: 4 }),
    onlyActive: fc.boolean(),
    steps: fc.array(step, { minLength: 1, maxLength: 15 }),
  })
  let lives = 0
  const property = fc.asyncProperty(walkOf, async ({ before: count, limit, onlyActive, steps }) => {
    const token = await service.signIn(`walker-${++lives}@example.com`)
    const first = await makeLinks(service, token, count)
    const ended = new Set<string>()
    const there = [...first]
    let turn = 0
    const query = { limit: String(limit), ...(onlyActive ? { status: 'ACTIVE' } : {}) }
    const seen = await listAllIds(service, token, query, async () => {
      const next = steps[turn++]
      if (next === undefined) return
      service.clock.advance(next.passMs)
      for (let more = next.made; more > 0; more--) there.push((await createLink(service, token)).id)
      for (const which of next.ended) {
        const id = there[which % Math.max(1, there.length)]
        if (id === undefined) continue
        await deactivate(token, id)
        ended.add(id)
      }
    })
    assert.equal(new Set(seen).size, seen.length, 'no duplicates')
    const mustBeSeen = onlyActive ? first.filter((id) => !ended.has(id)) : first
    for (const id of mustBeSeen) assert.ok(seen.includes(id), 'none is missing')
    for (const id of seen) assert.ok(there.includes(id))
    const order = await listAllIds(service, token, { limit: '100' })
    assert.deepEqual(
      seen,
      order.filter((id) => seen.includes(id)),
      'the order is that of one complete page',
    )
  })
  await fc.assert(property, { numRuns: 15, seed: 1 })
})
