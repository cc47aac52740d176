/** `GET /auth/changes`: deleted, disabled and enabled accounts, for services behind. Only with `CHANGES_TOKEN`. */
import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import { findAccountChanges, findLastPosition } from '../../domain/users/account-change-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { requireOperatorToken } from '../../http/operator-token.ts'
import { PAGE_LIMIT, POSITION_CURSOR } from '../../http/pagination.ts'
import { refuseUnknownParameters } from '../../http/unknown-parameters.ts'

const DEFAULT_LIMIT = 100

const Query = Type.Object({
  cursor: Type.Optional(Type.String({ pattern: POSITION_CURSOR })),
  limit: Type.Optional(Type.String({ pattern: PAGE_LIMIT })),
})

const Answer = Type.Object({
  changes: Type.Array(Type.Object({ userId: Type.String(), kind: Type.String(), at: Type.String() })),
  nextCursor: Type.String(),
})

export const listChanges: Endpoint = (app, { config, db, clock }) => {
  if (config.changesToken === undefined) return
  app.get('/auth/changes', {
    config: { access: 'public', errors: ['VALIDATION_FAILED'] },
    // Like `/metrics`: for the operator's own services, and not on every installation (docs/behind-the-gate.md).
    schema: { hide: true, operationId: 'listChanges', querystring: Query, response: { 200: Answer } },
    onRequest: [requireOperatorToken(config.changesToken, 'changes'), refuseUnknownParameters(Query)],
    async handler({ query }) {
      const { cursor = '0', limit = String(DEFAULT_LIMIT) } = query
      const after = Number(cursor)
      // Changes to come would be below it. The counter alone says too little: after a restore it is behind its readers,
      // but every later position is at least the time.
      if (after > clock.now() && after > (await findLastPosition(db)))
        throw new ApiError('VALIDATION_FAILED', { message: '`cursor` must be the `nextCursor` of an earlier page.' })
      const found = await findAccountChanges(db, after, Number(limit))
      return {
        changes: found.map(({ user_id, kind, at_ms }) => ({
          userId: user_id,
          kind,
          at: new Date(at_ms).toISOString(),
        })),
        // Never null: the reader continues here when there are new changes.
        nextCursor: String(found.at(-1)?.position ?? cursor),
      }
    },
  })
}
