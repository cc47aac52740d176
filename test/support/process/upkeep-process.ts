/** A process that runs the upkeep of a database once on command, for `upkeepAtOnce`. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createLog } from '../../../src/lib/log.ts'
import { systemRandom } from '../../../src/lib/random.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { upkeep } from '../../../src/domain/upkeep.ts'
import { openAt } from '../database/database.ts'

const path = fileURLToPath(import.meta.url)

/** Runs the upkeep of one database in several processes at the same moment; fails if one of them fails. */
export async function upkeepAtOnce(databaseUrl: string, nowMs: number, processes: number): Promise<void> {
  const children = Array.from({ length: processes }, () => fork(path, [databaseUrl, String(nowMs)]))
  await Promise.all(children.map((child) => once(child, 'message')))
  const ends = children.map((child) => once(child, 'exit'))
  for (const child of children) child.send('go')
  const codes = (await Promise.all(ends)).map(([code]) => code as number | null)
  if (codes.some((code) => code !== 0)) throw new Error(`an upkeep ended with ${codes.join(', ')}`)
}

async function run(databaseUrl: string, nowMs: number): Promise<void> {
  const config = loadConfig({ JWT_SECRET: 'a-test-secret-of-more-than-thirty-two-bytes' }, () => '')
  const db = openAt(databaseUrl)
  // Between two batches only an unreferenced timer runs, which does not keep the process alive.
  process.channel?.ref()
  process.send?.('ready')
  await once(process, 'message')
  await upkeep({
    config,
    db,
    clock: { now: () => nowMs },
    random: systemRandom,
    mailer: { wake() {}, attempts: () => ({ sent: 0, refused: 0, failed: 0, given_up: 0 }) },
    log: createLog('silent'),
  })
  await db.close()
  process.disconnect?.()
}

if (process.argv[1] === path) void run(process.argv[2] ?? '', Number(process.argv[3]))
