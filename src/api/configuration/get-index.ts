/** `GET /`, the base URL itself: where a program that knows nothing else finds the documentation. */
import { Type } from 'typebox'
import type { Endpoint } from '../../http/endpoint.ts'

const Answer = Type.Object(
  {
    name: Type.String(),
    guide: Type.String({ description: 'For agents: how to sign up and create a payment link, on one page of text.' }),
    openapi: Type.String(),
    documentation: Type.String(),
    errors: Type.String({ description: 'Every error code with its cause and cure.' }),
  },
  {
    description: 'Addresses of the documentation.',
    examples: [
      {
        name: 'paylink-auth',
        guide: 'https://auth.example.com/llms.txt',
        openapi: 'https://auth.example.com/api/v1/openapi.json',
        documentation: 'https://auth.example.com/docs',
        errors: 'https://auth.example.com/docs/errors.md',
      },
    ],
  },
)

export const getIndex: Endpoint = (app, { config: { publicUrl, baseUrl } }) => {
  const answer = {
    name: 'paylink-auth',
    guide: `${publicUrl}/llms.txt`,
    openapi: `${baseUrl}/openapi.json`,
    documentation: `${publicUrl}/docs`,
    errors: `${publicUrl}/docs/errors.md`,
  }
  const config = { access: 'public' } as const
  const handler = async () => answer
  app.get('/', {
    prefixTrailingSlash: 'slash',
    config,
    schema: {
      operationId: 'getIndex',
      summary: 'Find the documentation',
      description: 'The base URL itself, with or without a slash at the end.',
      tags: ['Configuration'],
      'x-beyond-specification': true,
      response: { 200: Answer },
    },
    handler,
  })
  app.get('/', { prefixTrailingSlash: 'no-slash', config, schema: { hide: true, response: { 200: Answer } }, handler })
}
