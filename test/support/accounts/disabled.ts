/** Accounts that are disabled, and enabled again, as the command line does it. */
import { lockUser } from '../../../src/domain/users/user-store.ts'
import { disableAccount, enableAccount } from '../../../src/domain/users/disable-account.ts'
import type { Service } from '../service.ts'

const change = ({ db, deps }: Service, email: string, how: typeof disableAccount) =>
  db.transaction(async (trx) => {
    const user = await lockUser(trx, 'email', email)
    if (user === undefined || !(await how(deps, trx, user))) throw new Error(`nothing to change about ${email}`)
  })

/** Disables the account of an address. */
export const disable = (service: Service, email: string): Promise<void> => change(service, email, disableAccount)

/** Enables it again. */
export const enable = (service: Service, email: string): Promise<void> => change(service, email, enableAccount)
