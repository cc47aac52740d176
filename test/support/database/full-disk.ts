/** A service on a disk that is full. */
import assert from 'node:assert/strict'
import type { Answer } from '../http/call.ts'
import { openSqliteFile } from '../process/served.ts'
import type { Served } from '../process/served.ts'
import type { SmallDisk } from './small-disk.ts'

/** Whether the answer says that the write was not executed. */
export const isRefused = ({ status, body, headers }: Answer) =>
  status === 503 && body.error.code === 'UNAVAILABLE' && headers.get('retry-after') === '1'

export const signUp = (service: Served, email: string) => service.call('POST /auth/api/signup', { body: { email } })

/**
 * Fills the disk until the smallest write fails; returns a function that frees it. An open read transaction, as of a
 * backup, keeps the write-ahead log from restarting in its own space.
 */
export async function fillUp(disk: SmallDisk, service: Served, token: string): Promise<() => void> {
  const reader = openSqliteFile(disk.path)
  reader.exec('begin; select 1 from users')
  disk.fill()
  for (let name = 0; ; name += 1) {
    const answer = await service.call('PATCH /users/me', { token, body: { name: `n${name}` } })
    if (isRefused(answer)) break
    assert.equal(answer.status, 200, answer.text)
  }
  return () => {
    reader.close()
    disk.free()
  }
}
