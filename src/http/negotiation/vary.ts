import type { FastifyReply } from 'fastify'

/** Appends a field name to the response's `Vary`. */
export function addVary(reply: FastifyReply, field: string): void {
  const present = reply.getHeader('vary')
  reply.header('vary', present === undefined ? field : `${String(present)}, ${field}`)
}
