import type { Socket } from 'node:net'

/** Closes a connection with a reset, whatever data is in flight, as a crashing machine does. */
export function reset(socket: Socket): void {
  // Node fails with EINVAL to reset a socket that it is ending. That socket then stays open, and the process spins at
  // exit.
  if (socket.writableEnded && !socket.writableFinished) socket.destroy()
  else socket.resetAndDestroy()
}
