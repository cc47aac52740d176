/** Deletes a key from the record of who made which key, so that descent between the others stays exact. */
import type { Transaction } from '../../database/database.ts'
import { findIdentitiesOf } from '../google/identity-store.ts'
import { deleteMakers, findKeysMadeBy, findMakersOfKeys, recordMaker } from './key-maker-store.ts'
import type { KeyMaker } from './key-maker-store.ts'

/** Rows about one key, and rows that replace them; with more, the account's id stands for the key (key-history.ts). */
const MAX_ROWS = 100

/**
 * Credits the keys that a deleted key made to the makers of that key. Sign-ins are left out, except those that connected a Google account: the
 * caller passes only keys that ended longer ago than any other sign-in matters. `kept` rows of the keys stay. The caller
 * holds the user's lock.
 * @returns false when a key has too many rows; the record is then complete, but still has rows about it
 */
export async function bridgeDescent(
  trx: Transaction,
  userId: string,
  keys: readonly Readonly<{ id: string }>[],
): Promise<boolean> {
  const connectedBy = new Set((await findIdentitiesOf(trx, userId)).map(({ sign_in_id: id }) => id))
  for (const { id } of keys) {
    const linksToAnotherKey = (row: KeyMaker) => row.key_id !== id || row.maker_key_id !== id
    const about = await findMakersOfKeys(trx, [id], ['created', 'rotated', 'widened', 'kept'], MAX_ROWS)
    const made = await findKeysMadeBy(trx, userId, [id], MAX_ROWS)
    const makers = about.filter(linksToAnotherKey).map((row) => toMaker(row, connectedBy))
    const children = made.filter(linksToAnotherKey)
    if (Math.max(about.length, made.length, makers.length * children.length) >= MAX_ROWS) return false
    for (const child of children) await bridge(trx, child, makers)
    const obsolete = [...about.filter((row) => row.how !== 'kept'), ...made]
    await deleteMakers(
      trx,
      obsolete.map((row) => row.id),
    )
  }
  return true
}

type Maker = Pick<KeyMaker, 'how' | 'maker_key_id' | 'sign_in_id'>

const toMaker = ({ how, maker_key_id, sign_in_id: signIn }: KeyMaker, connectedBy: ReadonlySet<string>): Maker => ({
  how,
  maker_key_id,
  sign_in_id: connectedBy.has(signIn ?? '') ? signIn : null,
})

async function bridge(trx: Transaction, child: KeyMaker, makers: readonly Maker[]): Promise<void> {
  const { user_id, key_id, at_ms: fromMs, last_at_ms: untilMs } = child
  const known = makers.filter((maker) => maker.maker_key_id !== null || maker.sign_in_id !== null)
  // Otherwise deleting the key that kept this one would hold this one's payment links again.
  const all =
    known.length === 0 && child.how === 'kept' ? [{ how: 'kept', maker_key_id: null, sign_in_id: null }] : known
  for (const { how: made, maker_key_id, sign_in_id } of all) {
    // As `created`, a stolen key could rotate another to gain authority over every key that the other created.
    const how = child.how === 'created' && made !== 'created' ? 'rotated' : child.how
    await recordMaker(trx, { user_id, key_id, how, maker_key_id, sign_in_id }, fromMs, untilMs ?? fromMs)
  }
}
