/** `GET /auth/config`: what a frontend must know to offer the ways in that there are. */
import { Type } from 'typebox'
import type { Endpoint } from '../../http/endpoint.ts'

const Answer = Type.Object(
  {
    google: Type.Union([Type.Object({ clientId: Type.String() }), Type.Null()], {
      description: 'Null: sign-in with Google is not configured.',
    }),
    signup: Type.Enum(['open', 'closed']),
  },
  { description: 'The ways in.', examples: [{ google: null, signup: 'open' }] },
)

/** Adds the endpoint. */
export const getConfig: Endpoint = (app, { config, google }) => {
  app.get('/auth/config', {
    config: { access: 'public' },
    schema: {
      operationId: 'getConfig',
      summary: 'The ways in that are offered',
      tags: ['Configuration'],
      'x-beyond-specification': true,
      response: { 200: Answer },
    },
    handler: async () => ({
      google: google && { clientId: google.settings.clientId },
      signup: config.signup,
    }),
  })
}
