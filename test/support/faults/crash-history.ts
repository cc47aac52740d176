/** Checks the log of clients of a repeatedly killed service: could a service that loses nothing have produced it? */

export type Outcome = 'done' | 'refused' | 'unknown'

/** One call in a client's log. Calls about one account are in order. */
export type Entry = Readonly<
  | { op: 'signup'; account: string; outcome: Outcome }
  | { op: 'rename'; account: string; name: string; outcome: Outcome }
  | { op: 'issue-token'; account: string; key: string; token: string; outcome: Outcome }
  | { op: 'use-token'; account: string; token: string; outcome: Outcome }
  | { op: 'revoke-tokens'; account: string; outcome: Outcome }
  | { op: 'create-key'; account: string; key: string; outcome: Outcome }
  | { op: 'revoke-key'; account: string; key: string; outcome: Outcome }
  | { op: 'exchange'; account: string; key: string; outcome: Outcome }
  | { op: 'request-link'; account: string; outcome: Outcome }
  | { op: 'use-link'; account: string; link: string; outcome: Outcome }
>

/** When the call began and its answer arrived, by `process.hrtime`, in nanoseconds; and the client's port. */
export type Timed = Readonly<{ beganNs: number; endedNs: number; port: number }>

export type FinalState = Readonly<{
  names: ReadonlyMap<string, string | null>
  /** Accounts that received at least one mail. */
  mailed: ReadonlySet<string>
}>

/** Everything in the log and the final state that contradicts durability. */
export function violations(log: readonly Entry[], final: FinalState): string[] {
  return [
    ...accountViolations(log, final),
    ...keyViolations(log),
    ...tokenViolations(log),
    ...linkViolations(log),
    ...log
      .filter(isPromiseOfMail)
      .filter(({ account }) => !final.mailed.has(account))
      .map(({ account }) => `${account}: a mail was promised and none came`),
  ]
}

/** Whether an acknowledged call queued a mail that must be sent. */
export function isPromiseOfMail({ op, outcome }: Entry): boolean {
  return (op === 'request-link' || op === 'signup') && outcome === 'done'
}

function accountViolations(log: readonly Entry[], final: FinalState): string[] {
  const found: string[] = []
  const legalNames = new Map<string, Set<string | null>>()
  for (const entry of log) {
    if (entry.op === 'signup' && entry.outcome === 'done') {
      legalNames.set(entry.account, new Set([null]))
      if (!final.names.has(entry.account)) found.push(`${entry.account}: the account is lost`)
    }
    if (entry.op !== 'rename' || entry.outcome === 'refused') continue
    const legal = legalNames.get(entry.account)
    // An acknowledged name is the only legal one; an unknown outcome adds one.
    if (entry.outcome === 'done') legal?.clear()
    legal?.add(entry.name)
  }
  for (const [account, legal] of legalNames) {
    const name = final.names.get(account)
    if (name !== undefined && !legal.has(name)) found.push(`${account}: the name ${name} was never legal`)
  }
  return found
}

// A key is live, maybe dead (a revocation of unknown outcome), or dead for good.
function keyViolations(log: readonly Entry[]): string[] {
  const found: string[] = []
  const states = new Map<string, 'live' | 'perhaps' | 'dead'>()
  for (const entry of log) {
    if (entry.op === 'create-key' && entry.outcome === 'done') states.set(entry.key, 'live')
    if (entry.op === 'revoke-key' && entry.outcome === 'done') states.set(entry.key, 'dead')
    if (entry.op === 'revoke-key' && entry.outcome === 'unknown' && states.get(entry.key) === 'live') {
      states.set(entry.key, 'perhaps')
    }
    if (entry.op !== 'exchange' || entry.outcome === 'unknown') continue
    const state = states.get(entry.key)
    if (entry.outcome === 'done' && state === 'dead') found.push(`${entry.key}: works after its revocation`)
    if (entry.outcome === 'refused' && state === 'live') found.push(`${entry.key}: the key is lost`)
    states.set(entry.key, entry.outcome === 'done' ? 'live' : 'dead')
  }
  return found
}

function tokenViolations(log: readonly Entry[]): string[] {
  const found: string[] = []
  const tokens = new Map<string, { account: string; key: string; state: 'live' | 'perhaps' | 'dead' }>()
  for (const entry of log) {
    if (entry.op === 'issue-token' && entry.outcome === 'done') tokens.set(entry.token, { ...entry, state: 'live' })
    if (entry.op === 'revoke-tokens' || entry.op === 'revoke-key') {
      for (const token of tokens.values()) {
        const isMeant = entry.op === 'revoke-key' ? token.key === entry.key : token.account === entry.account
        if (!isMeant || entry.outcome === 'refused') continue
        if (entry.outcome === 'done') token.state = 'dead'
        else if (token.state === 'live') token.state = 'perhaps'
      }
    }
    if (entry.op !== 'use-token' || entry.outcome === 'unknown') continue
    const token = tokens.get(entry.token)
    if (token === undefined) continue
    if (entry.outcome === 'done' && token.state === 'dead') found.push(`${entry.token}: a revoked token works`)
    if (entry.outcome === 'refused' && token.state === 'live') found.push(`${entry.token}: a live token is refused`)
    token.state = entry.outcome === 'done' ? 'live' : 'dead'
  }
  return found
}

function linkViolations(log: readonly Entry[]): string[] {
  const found: string[] = []
  const uses = new Map<string, Outcome[]>()
  for (const entry of log) {
    if (entry.op !== 'use-link') continue
    const before = uses.get(entry.link) ?? []
    if (entry.outcome === 'done' && before.some((outcome) => outcome !== 'unknown')) {
      found.push(`${entry.link}: worked again after it was used up`)
    }
    if (entry.outcome === 'refused' && before.length === 0) {
      found.push(`${entry.link}: refused at its first use`)
    }
    uses.set(entry.link, [...before, entry.outcome])
  }
  return found
}
