/**
 * `GET /oauth/authorize`: sends the browser to the page that asks the person (RFC 6749, section 4.1.1). Nothing is
 * checked here: only a signed-in person can make this service fetch a client's document.
 */
import { Type } from 'typebox'
import type { Endpoint } from '../../http/endpoint.ts'

export const authorize: Endpoint = (app, { config }) => {
  const page = new URL('authorize', config.appUrl.href.replace(/\/?$/, '/'))

  app.get('/oauth/authorize', {
    config: { access: 'public' },
    schema: {
      operationId: 'authorize',
      summary: 'Ask a person for access (OAuth)',
      description:
        'For browsers. The authorization endpoint of OAuth 2.1: redirects to the consent page, with the same query. A client is a URL of a client metadata document; PKCE with S256 is required. See `/docs/programs`.',
      tags: ['OAuth'],
      'x-beyond-specification': true,
      response: { 302: Type.Null({ description: 'Redirects to the consent page of the frontend, `/authorize`.' }) },
    },
    handler(request, reply) {
      const at = request.url.indexOf('?')
      return reply.redirect(page.href + (at === -1 ? '' : request.url.slice(at)), 302)
    },
  })
}
