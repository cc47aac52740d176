import { describeSignIn } from '../../src/domain/sign-in/describe-sign-in.ts'
import { endSignIn } from '../../src/domain/sign-in/end-sign-in.ts'
import { idleSinceMs } from '../../src/domain/sign-in/idle-sign-ins.ts'
import { findLiveSignIns, findSignIn } from '../../src/domain/sign-in/sign-in-store.ts'
import type { SignIn } from '../../src/domain/sign-in/sign-in-store.ts'
import type { Queries, Transaction } from '../../src/database/database.ts'
import type { CoreDeps } from '../../src/domain/deps.ts'
import type { User } from '../../src/domain/users/user-store.ts'
import { writeJson, writeLine } from '../../src/lib/text/terminal.ts'
import { OperatorError } from '../../src/lib/process/operator-error.ts'
import { confirm, onDatabase, requireConfirmable } from '../command.ts'
import { findUserByName, withLockedUser } from '../named-user.ts'
import { formatTime, formatValue, writeTable } from '../output.ts'

export type SessionOptions = Readonly<{ json?: boolean; yes?: boolean }>

export function listSessions(name: string, { json }: SessionOptions): Promise<void> {
  return onDatabase(async (deps) => {
    const user = await findUserByName(deps.db, name)
    const signIns = await findLive(deps, deps.db, user)
    if (json) return writeJson({ sessions: signIns.map(describeSignIn) })
    const rows = signIns.map((signIn) => [
      signIn.id,
      signIn.method,
      formatTime(signIn.created_at_ms),
      formatTime(signIn.last_seen_at_ms),
      formatValue(signIn.browser),
      formatValue(describeSignIn(signIn).network),
    ])
    writeTable(['ID', 'METHOD', 'SIGNED IN', 'LAST SEEN', 'BROWSER', 'NETWORK'], rows)
  })
}

/** API keys and the user's other sign-ins keep working. */
export function revokeSession(name: string, id: string, options: SessionOptions): Promise<void> {
  requireConfirmable(options)
  return onDatabase(async (deps) => {
    const user = await findUserByName(deps.db, name)
    const signIn = await findNamed(deps.db, user, id)
    const since = `${formatValue(signIn.browser)}, since ${formatTime(signIn.created_at_ms)}`
    await confirm(`Sign ${user.email} out of ${signIn.id} (${since})?`, options)
    const end = async (trx: Transaction, locked: User): Promise<boolean> => {
      return endSignIn(deps, trx, { user: locked, signIn: await findNamed(trx, locked, id) })
    }
    const isEnded = await withLockedUser(deps.db, user, end, { isRevocation: true })
    if (options.json) return writeJson({ session: describeSignIn(signIn), revoked: isEnded ? 1 : 0 })
    writeLine(isEnded ? 'Signed out. The tokens of this sign-in are refused.' : 'The sign-in had already ended.')
  })
}

function findLive({ config, clock }: CoreDeps, db: Queries, user: User): Promise<SignIn[]> {
  const nowMs = clock.now()
  return findLiveSignIns(db, { user, nowMs, idleSinceMs: idleSinceMs(config, nowMs) })
}

async function findNamed(db: Queries, { id: userId, email }: User, id: string): Promise<SignIn> {
  const signIn = await findSignIn(db, userId, id)
  if (signIn === undefined) throw new OperatorError(`${email} has no sign-in ${id}. See: paylink-auth sessions list.`)
  return signIn
}
