/** Checks a database from the moment of a power cut against the logs of the clients until then. */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { checkFile } from '../../../src/database/sqlite/file-check.ts'
import type { Sent } from '../disk/disk-trace.ts'
import { violations } from './crash-history.ts'
import type { Entry, Timed } from './crash-history.ts'

export type TimedLog = readonly (Entry & Timed)[]

/** A mail, and the token of its sign-in link. */
export type Arrival = Readonly<{ address: string; link: string | undefined; arrivedNs: number }>

/** The logs with the times at which the service sent its answers, which a busy client sees later. */
export function asSent(logs: readonly TimedLog[], sent: readonly Sent[]): TimedLog[] {
  const answers = Map.groupBy(
    sent.filter(({ head }) => head.startsWith('HTTP/1.1')),
    ({ port }) => port,
  )
  return logs.map((log) =>
    log.map((entry) => {
      const { port, beganNs, endedNs } = entry
      const answer = answers.get(port)?.find(({ sentNs }) => sentNs > beganNs && sentNs < endedNs)
      if (answer === undefined) throw new Error(`no answer to ${entry.op} is in the trace`)
      return { ...entry, endedNs: answer.sentNs }
    }),
  )
}

/** The same for mails. */
export function asHandedOver(arrivals: readonly Arrival[], sent: readonly Sent[]): Arrival[] {
  const times = new Map<string, number>()
  for (const { head, sentNs } of sent) {
    const [, address] = /^To: <?([^>\r]*)/m.exec(head) ?? []
    if (address !== undefined && !times.has(address)) times.set(address, sentNs)
  }
  return arrivals.map(({ address, link }) => {
    const arrivedNs = times.get(address)
    if (arrivedNs === undefined) throw new Error('a mail is not in the trace')
    return { address, link, arrivedNs }
  })
}

/** What contradicts durability, or the damage of the file. Every log is of one client, with accounts of its own. */
export function losses(path: string, logs: readonly TimedLog[], arrivals: readonly Arrival[], cutNs: number): string[] {
  const file = new DatabaseSync(path)
  try {
    checkFile(file)
    return lossesIn(file, logs, arrivals, cutNs)
  } catch (error) {
    return [(error as Error).message]
  } finally {
    file.close()
  }
}

function lossesIn(
  file: DatabaseSync,
  logs: readonly TimedLog[],
  arrivals: readonly Arrival[],
  cutNs: number,
): string[] {
  const rows = (query: string) => file.prepare(query).all() as any[]
  const partial = rows(
    'select email from users where claimed_at_ms is null and id not in (select user_id from api_keys)',
  )
  const arrived = arrivals.filter(({ arrivedNs }) => arrivedNs <= cutNs)
  const queued = rows('select email from queued_mails').map(({ email }): string => email)
  const mailed = new Set([...queued, ...arrived.map(({ address }) => address)])
  const names = new Map<string, string | null>(
    rows('select email, name from users').map((row) => [row.email, row.name]),
  )
  const credentials = credentialsIn(rows)
  const linksOf = Map.groupBy(arrived, ({ address }) => address)
  return logs
    .flatMap((whole) => {
      const log = logUntil(whole, cutNs)
      const links = log.filter(({ op }) => op === 'request-link').flatMap(({ account }) => linksOf.get(account) ?? [])
      return violations([...log, ...credentials(log, links)], { names, mailed })
    })
    .concat(partial.map(({ email }) => `${email}: the signup is partial`))
}

// A call that was not answered at the cut may have had its effect.
function logUntil(log: TimedLog, cutNs: number): Entry[] {
  return log
    .filter(({ beganNs }) => beganNs <= cutNs)
    .map((entry) => (entry.endedNs <= cutNs ? entry : unanswered(entry)))
}

const unanswered = (entry: Entry): Entry => ({ ...entry, outcome: 'unknown' })

/** Returns a function that tries every credential of a log on the rows, as its client would on a service. */
function credentialsIn(rows: (query: string) => any[]): (log: readonly Entry[], links: readonly Arrival[]) => Entry[] {
  const keys = rows('select id, key_id from api_keys where revoked_at_ms is null')
  const [liveIds, liveKeys] = [new Set(keys.map(({ id }) => id)), new Set(keys.map(({ key_id: key }) => key))]
  const versions = new Map(rows('select id, token_version from users').map((row) => [row.id, row.token_version]))
  const hashes = new Set(rows('select token_hash from magic_links').map((row) => row.token_hash))
  const outcome = (isLive: boolean) => (isLive ? 'done' : 'refused')
  const isLiveToken = (token: string) => {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return versions.get(claims.sub) === claims.tokenVersion && liveIds.has(claims.apiKeyId)
  }
  return (log, links) => [
    ...log.flatMap((entry): Entry[] => {
      if (entry.outcome !== 'done') return []
      const { account } = entry
      if (entry.op === 'create-key')
        return [{ op: 'exchange', account, key: entry.key, outcome: outcome(liveKeys.has(entry.key)) }]
      if (entry.op !== 'issue-token') return []
      return [{ op: 'use-token', account, token: entry.token, outcome: outcome(isLiveToken(entry.token)) }]
    }),
    ...links.flatMap(({ link, address }): Entry[] => {
      if (link === undefined) return []
      const isUsable = hashes.has(createHash('sha256').update(link).digest('hex'))
      return [{ op: 'use-link', account: address, link, outcome: outcome(isUsable) }]
    }),
  ]
}
