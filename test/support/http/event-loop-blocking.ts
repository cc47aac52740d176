/** Checks for every endpoint that an account with very many rows does not block the event loop. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { endpointRequests } from './endpoint-requests.ts'
import type { Sample } from './endpoint-requests.ts'
import { shortestLongestBlock } from '../process/event-loop.ts'
import { makeLargeAccount } from '../database/large-account.ts'
import type { AccountSize, LargeAccount } from '../database/large-account.ts'
import { startService } from '../service.ts'
import type { Service } from '../service.ts'
import { upkeep } from '../../../src/domain/upkeep.ts'

/** Longest time the event loop may be blocked, in milliseconds of processor time. */
const MAX_MS = 20
/** Runs per request at most: real cost shows in every run, noise does not. */
const RUNS = 3
/** Seeding very many rows takes long on a busy machine. */
const SEEDED_WITHIN_MS = 600_000
/** Characters of an answer that are read. */
const MAX_READ = 10_000_000
const DAY_MS = 24 * 3600 * 1000

/** @param size of the account that is read; accounts that are changed have as many keys, and a tenth of the rest */
export function testEveryEndpoint(size: AccountSize): void {
  let service: Service
  let requests: ReturnType<typeof endpointRequests>
  const operations = new Set<string>()

  before(
    async () => {
      // Raised limit: the account must be able to create one more link, to measure its cost.
      service = await startService({ PAYMENT_LINK_LIMIT: '1000000' }, (app) => {
        app.addHook('onRoute', ({ schema }) => {
          const { operationId } = (schema ?? {}) as { operationId?: string }
          if (operationId !== undefined) operations.add(operationId)
        })
      })
      const { db, clock } = service
      const nowMs = clock.now()
      const smaller = {
        keys: size.keys,
        makers: size.makers,
        events: size.events / 10,
        links: size.links / 10,
        answers: size.answers / 10,
      }
      // Most requests need one run.
      const ofRuns = (name: string, isClaimed: boolean) => {
        const made = new Map<number, Promise<LargeAccount>>()
        return (run: number) => {
          const account = made.get(run) ?? makeLargeAccount(db, `${name}${run}`, smaller, { nowMs, isClaimed })
          made.set(run, account)
          return account
        }
      }
      const accounts = {
        used: await makeLargeAccount(db, 'used', size, { nowMs }),
        squatted: ofRuns('squatted', false),
        undone: ofRuns('undone', true),
        revoked: ofRuns('revoked', true),
        deleted: ofRuns('deleted', true),
      }
      requests = endpointRequests(service, accounts)
    },
    { timeout: SEEDED_WITHIN_MS },
  )
  after(() => service.close())

  async function call(sample: Sample): Promise<void> {
    const {
      route,
      call: { token, body, headers },
      expect,
    } = sample
    const [method, path] = route.split(' ')
    const answer = await service.app.inject({
      method: method as 'GET',
      url: `/api/v1${path}`,
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { payload: body as object }),
      payloadAsStream: true,
    })
    let text = ''
    // A part of an export shows the cost of a page.
    for await (const chunk of answer.stream()) if ((text += String(chunk)).length > MAX_READ) break
    // A history longer than the limit is shortened over several calls.
    if (answer.statusCode === 503 && text.includes('is being compacted')) return call(sample)
    assert.equal(answer.statusCode, expect, `${route}: ${text.slice(0, 500)}`)
  }

  test('every operation has requests here', () => {
    assert.ok(operations.size > 30)
    assert.deepEqual(Object.keys(requests).toSorted(), [...operations].toSorted())
  })

  test('the measurement detects a longer block', async () => {
    const { cpuMs } = await shortestLongestBlock(
      Array.from({ length: RUNS }, () => async () => {
        const from = process.threadCpuUsage().user
        // Much longer than the bound: a garbage collection in the block is subtracted from it.
        while (process.threadCpuUsage().user - from < 20_000 * MAX_MS);
      }),
      MAX_MS,
    )
    assert.ok(cpuMs > MAX_MS, `${cpuMs} ms`)
  })

  test(`no endpoint blocks the event loop longer than ${MAX_MS} ms`, { timeout: SEEDED_WITHIN_MS }, async (t) => {
    for (const [operation, samples] of Object.entries(requests)) {
      await t.test(operation, async (own) => {
        for (const sample of samples) {
          let ready = await sample(0)
          const runs = Array.from({ length: RUNS }, () => () => call(ready))
          const { cpuMs, wallMs } = await shortestLongestBlock(runs, MAX_MS, async (run) => {
            if (run > 0) ready = await sample(run)
          })
          const measured = `${ready.route.split('token=')[0]}: ${cpuMs.toFixed(1)} ms of the processor, ${wallMs.toFixed(1)} ms`
          own.diagnostic(measured)
          assert.ok(cpuMs <= MAX_MS, measured)
        }
      })
    }
  })

  test(
    'the upkeep does not either, with all events of the accounts to sweep',
    { timeout: SEEDED_WITHIN_MS },
    async (t) => {
      service.clock.advance(181 * DAY_MS)
      // A part of very many rows shows the cost of a batch.
      const runs = Array.from({ length: 4 * RUNS }, () => () => upkeep(service.deps, AbortSignal.timeout(200)))
      const { cpuMs, wallMs } = await shortestLongestBlock(runs, MAX_MS)
      t.diagnostic(`${cpuMs.toFixed(1)} ms of the processor, ${wallMs.toFixed(1)} ms`)
      assert.ok(cpuMs <= MAX_MS, `${cpuMs} ms`)
    },
  )
}
