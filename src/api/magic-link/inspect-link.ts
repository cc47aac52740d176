/** `POST /auth/links/inspect`: the address and expiry of a link, without consuming it. */
import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { maskEmailAddress } from '../../lib/text/email-address.ts'
import { sha256 } from '../../lib/hash.ts'
import { clientNetwork } from '../../lib/network.ts'
import { findLink } from '../../domain/sign-in/magic-link-store.ts'

const Body = Type.Object(
  { token: Type.String({ description: 'The token of the mailed link.' }) },
  { additionalProperties: false, examples: [{ token: 'k3Zr0bXn4Yk2pV9c1sQ7tLw8mJf5hDg6aEo-uRi_xyU' }] },
)

const Answer = Type.Object(
  {
    email: Type.String({ description: 'The masked address of the link.' }),
    expiresAt: Type.String({ format: 'date-time' }),
  },
  {
    description: 'The address and expiry of the link, which is not consumed.',
    examples: [{ email: 'a***@example.com', expiresAt: '2026-11-21T10:10:00.000Z' }],
  },
)

export const inspectLink: Endpoint = (app, { db, clock, rateLimits }) => {
  app.post('/auth/links/inspect', {
    config: { access: 'public', crossSite: 'refused', errors: ['LINK_INVALID', 'RATE_LIMITED'] },
    schema: {
      operationId: 'inspectLink',
      summary: 'Inspect a magic link without consuming it',
      description: 'For a page that shows whose link it is before it is used.',
      tags: ['Magic link'],
      'x-beyond-specification': true,
      body: Body,
      response: { 200: Answer },
    },
    async handler(request, reply) {
      const link = await findLink(db, sha256(request.body.token), clock.now())
      if (link === undefined) {
        await rateLimits.count(reply, ['sign-in-failures', clientNetwork(request.ip)])
        throw new ApiError('LINK_INVALID')
      }
      return {
        email: maskEmailAddress(link.email),
        expiresAt: new Date(link.expires_at_ms).toISOString(),
      }
    },
  })
}
