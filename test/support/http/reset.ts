/** Breaking a connection off, as a machine that fails does. */
import type { Socket } from 'node:net'

/** Ends a connection at once: the other side gets a reset, whatever was on its way. */
export function reset(socket: Socket): void {
  // Node fails (EINVAL) to reset one that it is just ending in good order. That one then stays open for
  // ever, and the process, done with everything, spins at its own end instead of being gone.
  if (socket.writableEnded && !socket.writableFinished) socket.destroy()
  else socket.resetAndDestroy()
}
