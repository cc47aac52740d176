/** `GET /auth/config`: the sign-in methods that a frontend can offer. */
import { Type } from 'typebox'
import type { Endpoint } from '../../http/endpoint.ts'

const Answer = Type.Object(
  {
    google: Type.Union([Type.Object({ clientId: Type.String() }), Type.Null()], {
      description: 'Null: sign-in with Google is not configured.',
    }),
    signup: Type.Enum(['open', 'closed']),
  },
  { description: 'The available sign-in methods.', examples: [{ google: null, signup: 'open' }] },
)

export const getConfig: Endpoint = (app, { config, google }) => {
  app.get('/auth/config', {
    config: { access: 'public' },
    schema: {
      operationId: 'getConfig',
      summary: 'Get the available sign-in methods',
      description: 'For sign-in pages: whether to show the Google button, and whether new accounts are accepted.',
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
