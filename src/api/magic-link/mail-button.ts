/** The shared request, response and handling of the buttons in mails. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Transaction, TransactionOptions } from '../../database/database.ts'
import { findUserOfMailbox } from '../../domain/address-change/former-user.ts'
import { MAX_STEPS_PER_REQUEST, trimKeyHistory } from '../../domain/keys/key-history.ts'
import { findButton } from '../../domain/mails/mail-button-store.ts'
import type { Deps } from '../../http/deps.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'
import { clientNetwork } from '../../lib/network.ts'

export const ButtonBody = Type.Object(
  { token: Type.String({ description: 'The token of the button in the mail.' }) },
  { additionalProperties: false, examples: [{ token: 'k3Zr0bXn4Yk2pV9c1sQ7tLw8mJf5hDg6aEo-uRi_xyU' }] },
)

export const ButtonAnswer = Type.Object(
  { ok: Type.Boolean() },
  { description: 'Done, by this call or an earlier one.', examples: [{ ok: true }] },
)

export const buttonInvalid = (): ApiError =>
  new ApiError('LINK_INVALID', { message: 'This link is unknown, used or expired.' })

/**
 * Runs a button's action in one transaction. An unknown token counts as a failure of the client, which limits guessing.
 * @param press the action, which must be idempotent; false if there is no such button
 * @throws {ApiError} `LINK_INVALID`, `RATE_LIMITED`
 */
export async function pressButton(
  { db, rateLimits }: Pick<Deps, 'db' | 'rateLimits'>,
  { body, ip }: Readonly<{ body: { token: string } }> & Pick<FastifyRequest, 'ip'>,
  reply: FastifyReply,
  press: (trx: Transaction, tokenHash: string) => Promise<boolean>,
  options?: TransactionOptions,
): Promise<{ ok: true }> {
  const tokenHash = sha256(body.token)
  const isKnown = await db.transaction((trx) => press(trx, tokenHash), options)
  if (!isKnown) {
    await rateLimits.count(reply, ['sign-in-failures', clientNetwork(ip)])
    throw buttonInvalid()
  }
  return { ok: true }
}

/** Runs a button that undoes what others did. Trims the key history first: the action may read all of it. */
export async function pressUndoingButton(
  deps: Deps,
  request: FastifyRequest & Readonly<{ body: { token: string } }>,
  reply: FastifyReply,
  kind: 'not_me' | 'undo_email',
  undo: (deps: Deps, trx: Transaction, tokenHash: string, source: FastifyRequest) => Promise<boolean>,
): Promise<{ ok: true }> {
  const nowMs = deps.clock.now()
  const button = await findButton(deps.db, kind, sha256(request.body.token), nowMs)
  const owner = button && (await findUserOfMailbox(deps.db, button.email, nowMs))
  if (owner !== undefined) await trimKeyHistory(deps, owner.id, { maxSteps: MAX_STEPS_PER_REQUEST, isRevocation: true })
  const press = (trx: Transaction, tokenHash: string) => undo(deps, trx, tokenHash, request)
  return pressButton(deps, request, reply, press, { isRevocation: true })
}
