/** The request and answer of a mail's buttons, and what all of them do around their own work. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Transaction } from '../../database/database.ts'
import type { Deps } from '../../http/deps.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'
import { clientNetwork } from '../../lib/network.ts'

/** What the page of a button posts. */
export const ButtonBody = Type.Object(
  { token: Type.String({ description: 'The token of the mail’s button.' }) },
  { additionalProperties: false, examples: [{ token: 'k3Zr0bXn4Yk2pV9c1sQ7tLw8mJf5hDg6aEo-uRi_xyU' }] },
)

/** What it gets. */
export const ButtonAnswer = Type.Object(
  { ok: Type.Boolean() },
  { description: 'Done, now or before.', examples: [{ ok: true }] },
)

/**
 * Presses a button in one transaction, and answers the same now or again. A token that nobody knows
 * counts as a failure of its client, so that guessing ends soon.
 * @param press what the button does, by its token's hash; whether there is such a button
 * @throws LINK_INVALID, RATE_LIMITED
 */
export async function pressButton(
  { db, rateLimits }: Pick<Deps, 'db' | 'rateLimits'>,
  { body, ip }: Readonly<{ body: { token: string } }> & Pick<FastifyRequest, 'ip'>,
  reply: FastifyReply,
  press: (trx: Transaction, tokenHash: string) => Promise<boolean>,
): Promise<{ ok: true }> {
  const tokenHash = sha256(body.token)
  const isKnown = await db.transaction((trx) => press(trx, tokenHash))
  if (!isKnown) {
    await rateLimits.count(reply, ['sign-in-failures', clientNetwork(ip)])
    throw new ApiError('LINK_INVALID')
  }
  return { ok: true }
}
