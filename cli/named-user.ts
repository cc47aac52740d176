import { findUserOfMailbox } from '../src/domain/address-change/former-user.ts'
import { findUser, findUserByEmail, lockUser } from '../src/domain/users/user-store.ts'
import type { User } from '../src/domain/users/user-store.ts'
import type { Database, Transaction, TransactionOptions } from '../src/database/database.ts'
import { isRecordId } from '../src/database/record-id.ts'
import { parseEmailAddress } from '../src/lib/text/email-address.ts'
import { systemClock } from '../src/lib/clock.ts'
import { EXIT_USAGE, OperatorError } from '../src/lib/process/operator-error.ts'

/** @throws {OperatorError} when there is no such user */
export async function findUserByName(db: Database, name: string): Promise<User> {
  const user = name.includes('@') ? await findUserByEmail(db, addressOf(name)) : await findById(db, name)
  if (user !== undefined) return user
  const former = name.includes('@') ? await findUserOfMailbox(db, addressOf(name), systemClock.now()) : undefined
  const hint = former === undefined ? '' : ` The account that had this address until lately is ${former.id}.`
  throw new OperatorError(`User not found: ${name}.${hint}`)
}

function findById(db: Database, id: string): Promise<User | undefined> {
  if (!isRecordId(id)) throw new OperatorError(`${id} is neither a user’s id nor an e-mail address.`, EXIT_USAGE)
  return findUser(db, id)
}

function addressOf(name: string): string {
  const address = parseEmailAddress(name)
  if (address === undefined) throw new OperatorError(`${name} is not an e-mail address.`, EXIT_USAGE)
  return address
}

/**
 * Runs a write on a user found earlier, with the same row lock as the service's writes.
 * @param options `isRevocation`: the write ends access, and succeeds on a full disk too
 * @throws {OperatorError} when the user was deleted meanwhile
 */
export function withLockedUser<T>(
  db: Database,
  { id, email }: User,
  write: (trx: Transaction, user: User) => Promise<T>,
  { isRevocation = false }: Pick<TransactionOptions, 'isRevocation'> = {},
): Promise<T> {
  const writeLocked = async (trx: Transaction) => {
    const user = await lockUser(trx, 'id', id)
    if (user === undefined || user.deleted_at_ms !== null) throw new OperatorError(`${email} was deleted meanwhile.`)
    return write(trx, user)
  }
  return db.transaction(writeLocked, { isRevocation })
}
