/** `GET /auth/api-keys/:id/uses`: from where a key was last used, and how often it was exchanged and refused per day. */
import { Type } from 'typebox'
import { findDailyUses } from '../../domain/keys/daily-uses/daily-use-store.ts'
import { DAYS_KEPT } from '../../domain/keys/daily-uses/daily-uses.ts'
import { findKey } from '../../domain/keys/key-store.ts'
import { ApiError } from '../../errors.ts'
import { callerOf } from '../../http/guard.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { DAY_MS, utcDay } from '../../lib/clock.ts'
import { networkOf } from '../../lib/network.ts'
import { KeyParams } from './key-path.ts'

const Answer = Type.Object(
  {
    lastUsedNetwork: Type.Union([Type.String(), Type.Null()], {
      description: 'From where the call of `lastUsedAt` came: an IPv4 /24 or an IPv6 /48. Null: unused, or unknown.',
    }),
    days: Type.Array(
      Type.Object(
        {
          day: Type.String({ format: 'date', description: 'In UTC.' }),
          exchanges: Type.Integer({ description: 'Access tokens issued for the key.' }),
          refusals: Type.Integer({
            description: 'Exchanges refused: a wrong secret, an ended key, another network, too many.',
          }),
        },
        { title: 'KeyUsesOfDay' },
      ),
    ),
  },
  {
    description: 'The network of the last use, and the days with a use of the last 30, the latest last.',
    examples: [{ lastUsedNetwork: '203.0.113.0/24', days: [{ day: '2026-11-21', exchanges: 24, refusals: 0 }] }],
  },
)

export const listUses: Endpoint = (app, { db, clock }) => {
  app.get('/auth/api-keys/:id/uses', {
    config: { access: 'authenticated', scope: 'keys:read', errors: ['NOT_FOUND'] },
    schema: {
      operationId: 'listUses',
      summary: 'List the uses of an API key per day',
      description: 'Uses of the last minute may be missing. Calls with the tokens of the key are not counted.',
      tags: ['API keys'],
      'x-beyond-specification': true,
      params: KeyParams,
      response: { 200: Answer },
    },
    async handler(request) {
      const { userId } = callerOf(request)
      const key = await findKey(db, userId, request.params.id)
      if (key === undefined) throw new ApiError('NOT_FOUND')
      const uses = await findDailyUses(db, key.id, utcDay(clock.now() - (DAYS_KEPT - 1) * DAY_MS))
      return {
        lastUsedNetwork: networkOf(key.last_used_network),
        days: uses.map(({ day, exchanges, refusals }) => ({ day, exchanges, refusals })),
      }
    },
  })
}
