import type { Queries, Transaction } from '../../database/database.ts'
import { findUser, findUserByEmail, lockUser } from '../users/user-store.ts'
import type { User } from '../users/user-store.ts'
import { findReservation } from './address-change-store.ts'

/** Locks the last holder of a reserved address: the user whose change of it can still be undone. */
export async function lockFormerUser(trx: Transaction, email: string, nowMs: number): Promise<User | undefined> {
  const reservation = await findReservation(trx, email, nowMs)
  return reservation && lockUser(trx, 'id', reservation.user_id)
}

/** The user whose address this is, or the last holder of a reserved address. */
export async function findUserOfMailbox(db: Queries, email: string, nowMs: number): Promise<User | undefined> {
  const user = await findUserByEmail(db, email)
  if (user !== undefined) return user
  const reservation = await findReservation(db, email, nowMs)
  return reservation && findUser(db, reservation.user_id)
}
