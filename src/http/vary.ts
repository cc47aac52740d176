/** The answer's `Vary` field, to which several parts of the server add. */
import type { FastifyReply } from 'fastify'

/** Adds a field name to the answer's `Vary`, keeping those that are there. */
export function addVary(reply: FastifyReply, field: string): void {
  const present = reply.getHeader('vary')
  reply.header('vary', present === undefined ? field : `${String(present)}, ${field}`)
}
