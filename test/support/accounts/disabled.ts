import { lockUser } from '../../../src/domain/users/user-store.ts'
import { disableAccount, enableAccount } from '../../../src/domain/users/disable-account.ts'
import type { Service } from '../service.ts'

const change = ({ db, deps }: Service, email: string, how: typeof disableAccount) =>
  db.transaction(async (trx) => {
    const user = await lockUser(trx, 'email', email)
    if (user === undefined || !(await how(deps, trx, user))) throw new Error(`nothing to change about ${email}`)
  })

export const disable = (service: Service, email: string): Promise<void> => change(service, email, disableAccount)

export const enable = (service: Service, email: string): Promise<void> => change(service, email, enableAccount)
