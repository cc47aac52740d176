import type { Queries, Transaction } from '../../src/database/database.ts'
import type { CoreDeps } from '../../src/domain/deps.ts'
import { findApp, findLiveApps } from '../../src/domain/keys/key-app-store.ts'
import type { ApiKey } from '../../src/domain/keys/key-store.ts'
import { revokeKeys } from '../../src/domain/keys/revoke-keys.ts'
import { describeApp } from '../../src/domain/oauth/describe-app.ts'
import type { User } from '../../src/domain/users/user-store.ts'
import { OperatorError } from '../../src/lib/process/operator-error.ts'
import { writeJson, writeLine } from '../../src/lib/text/terminal.ts'
import { confirm, onDatabase, requireConfirmable } from '../command.ts'
import { sayRestrictions } from './keys.ts'
import { findUserByName, withLockedUser } from '../named-user.ts'
import { formatTime, formatValue, writeTable } from '../output.ts'

export type AppOptions = Readonly<{ json?: boolean; yes?: boolean }>

export function listApps(name: string, { json }: AppOptions): Promise<void> {
  return onDatabase(async ({ config, db, clock }: CoreDeps) => {
    const user = await findUserByName(db, name)
    const apps = await findLiveApps(db, user, clock.now())
    if (json) return writeJson({ apps: apps.map((app) => describeApp(app, config)) })
    const rows = apps.map((app) => [
      app.id,
      describeApp(app, config).domain,
      formatTime(app.created_at_ms),
      formatTime(app.last_used_at_ms),
      formatTime(app.expires_at_ms),
      sayRestrictions(app.effective_restrictions),
      describeApp(app, config).resource,
      formatValue(app.name),
    ])
    writeTable(['ID', 'DOMAIN', 'CONNECTED', 'LAST USED', 'EXPIRES', 'RESTRICTED TO', 'RESOURCE', 'NAME'], rows)
  })
}

/** The user's other apps, API keys and sign-ins keep working. */
export function revokeApp(name: string, id: string, options: AppOptions): Promise<void> {
  requireConfirmable(options)
  return onDatabase(async (deps) => {
    const { config, db } = deps
    const user = await findUserByName(db, name)
    const { domain } = describeApp(await findNamed(db, user, id), config)
    await confirm(`End the access of ${domain} to ${user.email}?`, options)
    const end = async (trx: Transaction, locked: User) =>
      revokeKeys(deps, trx, await findNamed(trx, locked, id), { withDescendants: false })
    const { revoked, count } = await withLockedUser(db, user, end, { isRevocation: true })
    if (options.json) return writeJson({ app: describeApp(revoked, config), revoked: count })
    writeLine(count === 0 ? 'The access had already been ended.' : 'Disconnected. The token of the app is refused.')
  })
}

async function findNamed(db: Queries, { id: userId, email }: User, id: string): Promise<ApiKey> {
  const app = await findApp(db, userId, id)
  if (app === undefined) throw new OperatorError(`${email} has no app ${id}. See: paylink-auth apps list.`)
  return app
}
