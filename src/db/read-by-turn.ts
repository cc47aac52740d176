/** A read of one row that many ask for at once: all that is asked in one turn of the event loop is read together. */
import { byTurn } from './by-turn.ts'
import type { Db } from './db.ts'
import { embeddedFileOf } from './embedded-file.ts'
import { reserveOf } from './postgres.ts'
import { refuseStandby } from './standby.ts'

/** What a server answers to many questions: which one a row is the answer to, and whether the server is a standby. */
type Positioned<R> = R & Readonly<{ position: number; read_only: string }>

/**
 * Makes the read. What it gives is never older than the moment it was asked for (decision 0004), and within a
 * transaction it belongs to that alone.
 * @param readOne for the embedded database, and within transactions
 * @param readMany the same in one query, for a server, where the way there and back is what costs; `position` counts
 * the questions from 1
 * @param isSame whether two questions have one answer, which one that follows the other then shares; absent: each is
 * read
 */
export function readByTurn<Q, R>(
  readOne: (db: Db, question: Q) => Promise<R[]>,
  readMany: (db: Db, questions: readonly Q[]) => Promise<Positioned<R>[]>,
  isSame?: (one: Q, other: Q) => boolean,
): (db: Db, question: Q) => Promise<R | undefined> {
  const readers = new WeakMap<Db, (question: Q) => Promise<R | undefined>>()

  function readerOf(db: Db): (question: Q) => Promise<R | undefined> {
    const file = embeddedFileOf(db)
    if (file !== undefined) {
      return byTurn(async (questions) => {
        const answers = await file.readTogether(() => Promise.all(questions.map((question) => readOne(db, question))))
        return answers.map(([row]) => row)
      }, undefined, isSame)
    }
    // From the connections that writes cannot take.
    const reserve = reserveOf(db)
    const bounds = reserve && { most: reserve.connections, sentWithinMs: reserve.connectedWithinMs }
    return byTurn(async (questions) => {
      const rows: (R | undefined)[] = Array.from(questions, () => undefined)
      for (const row of await readMany(reserve?.db ?? db, questions)) {
        refuseStandby(row.read_only)
        rows[row.position - 1] = row
      }
      return rows
    }, bounds, isSame)
  }

  return (db, question) => {
    if (db.isTransaction) return readOne(db, question).then(([row]) => row)
    let read = readers.get(db)
    if (read === undefined) {
      read = readerOf(db)
      readers.set(db, read)
    }
    return read(question)
  }
}
