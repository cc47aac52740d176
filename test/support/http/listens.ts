import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { until } from '../until.ts'

/** Resolves when the child process accepts connections on this loopback port; rejects when it exits first. */
export async function listens(child: ChildProcess, port: number, name: string): Promise<void> {
  await until(async () => {
    assert.equal(child.exitCode, null, `${name} ended`)
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isOpen
  }, `${name} listens`)
}
