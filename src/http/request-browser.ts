import type { FastifyRequest } from 'fastify'
import { browserWords } from '../lib/text/browser-words.ts'
import type { App } from './endpoint.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** See `browserWords`. Parsed at each read: most calls write no event and no mail. */
    readonly browser: string | null
  }
}

export function addBrowserToRequests(app: App): void {
  app.decorateRequest('browser', {
    getter(this: FastifyRequest) {
      return browserWords(this.headers['user-agent'])
    },
  })
}
