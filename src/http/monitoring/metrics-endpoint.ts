/** `GET /metrics` for Prometheus, protected by `METRICS_TOKEN`. Without that setting the path does not exist. */
import type { App } from '../endpoint.ts'
import { requireOperatorToken } from '../operator-token.ts'
import { createRegistry } from './metric-definitions.ts'
import type { MetricsSource } from './metric-definitions.ts'

/** @param token the bearer token that a scrape must send */
export function addMetrics(app: App, token: string, source: MetricsSource): void {
  const { queries } = source
  let pools = queries.pools()
  const registry = createRegistry(source, () => pools)
  app.get('/metrics', {
    config: { access: 'public' },
    schema: { hide: true },
    onRequest: requireOperatorToken(token, 'metrics'),
    handler: async (_request, reply) => {
      // Before the scrape's own query, which would count as a call that waits for a connection.
      pools = queries.pools()
      return reply.type(registry.contentType).send(await registry.metrics())
    },
  })
}
