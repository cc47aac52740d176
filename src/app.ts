/** Builds the server from its dependencies. This file is the list of all endpoints. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from './http/guard.ts'
import { limitReads } from './http/rate-limit/read-limit.ts'
import { unavailableReasonOf } from './database/open.ts'
import type { Deps } from './http/deps.ts'
import { createKey } from './api/api-keys/create-key.ts'
import { exchangeToken } from './api/api-keys/exchange-token.ts'
import { keepKey } from './api/api-keys/keep-key.ts'
import { listUses } from './api/api-keys/list-uses.ts'
import { listDescendants } from './api/api-keys/list-descendants.ts'
import { listKeys } from './api/api-keys/list-keys.ts'
import { reportLeaked } from './api/api-keys/report-leaked.ts'
import { revokeKey } from './api/api-keys/revoke-key.ts'
import { rotateKey } from './api/api-keys/rotate-key.ts'
import { signup } from './api/api-keys/signup.ts'
import { updateKeyEndpoint } from './api/api-keys/update-key.ts'
import { listChanges } from './api/changes/list-changes.ts'
import { check } from './api/check/check.ts'
import { getConfig } from './api/configuration/get-config.ts'
import { getIndex } from './api/configuration/get-index.ts'
import { addDocs } from './api/docs/docs.ts'
import { listEvents } from './api/events/list-events.ts'
import { googleCallback } from './api/google/callback.ts'
import { connectGoogle } from './api/google/connect.ts'
import { disconnectGoogle } from './api/google/disconnect.ts'
import { getConnection } from './api/google/get-connection.ts'
import { oneTap } from './api/google/one-tap.ts'
import { startGoogle } from './api/google/start.ts'
import { inspectButton } from './api/magic-link/inspect-button.ts'
import { inspectLink } from './api/magic-link/inspect-link.ts'
import { notMe } from './api/magic-link/not-me.ts'
import { authorize } from './api/oauth/authorize.ts'
import { decideAuthorization } from './api/oauth/decide-authorization.ts'
import { inspectAuthorization } from './api/oauth/inspect-authorization.ts'
import { listApps } from './api/oauth/list-apps.ts'
import { revokeApp } from './api/oauth/revoke-app.ts'
import { introspect } from './api/oauth/introspect.ts'
import { addMetadata } from './api/oauth/metadata.ts'
import { revokeTokenEndpoint } from './api/oauth/revoke.ts'
import { issueToken } from './api/oauth/token.ts'
import { createPaymentLink } from './api/payment-links/create-payment-link.ts'
import { deactivatePaymentLink } from './api/payment-links/deactivate-payment-link.ts'
import { getPaymentLink } from './api/payment-links/get-payment-link.ts'
import { getPublicPaymentLink } from './api/payment-links/get-public-payment-link.ts'
import { listPaymentLinks } from './api/payment-links/list-payment-links.ts'
import { createPayPage } from './api/payment-links/pay-page.ts'
import { requestLink } from './api/magic-link/request-link.ts'
import { resumeMail } from './api/magic-link/resume-mail.ts'
import { undoEmail } from './api/magic-link/undo-email.ts'
import { verifyLink } from './api/magic-link/verify-link.ts'
import { mcp } from './api/mcp/mcp.ts'
import { addMcpMetadata } from './api/mcp/metadata.ts'
import { listSessions } from './api/sessions/list-sessions.ts'
import { revokeSession } from './api/sessions/revoke-session.ts'
import { signOut } from './api/sessions/sign-out.ts'
import { changeEmail } from './api/users/change-email.ts'
import { confirmEmail } from './api/users/confirm-email.ts'
import { deleteMe } from './api/users/delete-me.ts'
import { exportMe } from './api/users/export-me.ts'
import { getMe } from './api/users/get-me.ts'
import { revokeTokens } from './api/users/revoke-tokens.ts'
import { updateMe } from './api/users/update-me.ts'
import { addWebApp } from './api/web-app/web-app.ts'
import { ApiError } from './errors.ts'
import { addMethodNotAllowed, collectMethods, enforceAccess } from './http/access.ts'
import type { App, Endpoint } from './http/endpoint.ts'
import { addBrowserToRequests } from './http/request-browser.ts'
import { answerWhenDurable } from './http/server/durable-answers.ts'
import { addHealth } from './http/monitoring/health.ts'
import { startHeartbeat } from './http/monitoring/heartbeat.ts'
import { countCalls } from './http/monitoring/metrics.ts'
import { serveOpenApi } from './http/openapi.ts'
import { readForms } from './http/server/form-body.ts'
import { createServer } from './http/server/server.ts'
import { findUnprovenMailResumeTime } from './mail/queue/mail-budget.ts'
import { findRatesAgeMs } from './domain/payment-links/rates-age.ts'
import { findQueueStats } from './domain/mails/mail-queue-stats-store.ts'
import { version } from './lib/process/version.ts'

const endpoints: readonly Endpoint[] = [
  requestLink,
  verifyLink,
  inspectLink,
  inspectButton,
  notMe,
  resumeMail,
  undoEmail,

  startGoogle,
  googleCallback,
  oneTap,
  getConnection,
  connectGoogle,
  disconnectGoogle,

  signOut,
  listSessions,
  revokeSession,

  signup,
  exchangeToken,
  listKeys,
  createKey,
  updateKeyEndpoint,
  revokeKey,
  rotateKey,
  keepKey,
  listDescendants,
  listUses,
  reportLeaked,

  authorize,
  inspectAuthorization,
  decideAuthorization,
  listApps,
  revokeApp,

  createPaymentLink,
  listPaymentLinks,
  getPaymentLink,
  deactivatePaymentLink,
  getPublicPaymentLink,

  mcp,

  check,
  listChanges,

  getMe,
  updateMe,
  changeEmail,
  confirmEmail,
  deleteMe,
  exportMe,
  revokeTokens,
  listEvents,
  getConfig,
  getIndex,
]

/** Their bodies are forms. */
const oauthEndpoints: readonly Endpoint[] = [issueToken, introspect, revokeTokenEndpoint]

const reasonOf = (error: unknown) => unavailableReasonOf(error instanceof ApiError ? error.cause : error)

/**
 * The server is ready to listen but does not listen.
 * @param extend adds development pages, or observes the routes that follow
 * @throws when a route does not declare its access class
 */
export async function buildApp(deps: Deps, extend?: (app: App) => void | Promise<void>): Promise<App> {
  const { config, db, clock, log } = deps
  const payPage = createPayPage(deps)
  const app = createServer(deps, reasonOf, payPage.answerError)
  const stalls = startHeartbeat(app, log)
  const counts = config.metricsToken === undefined ? undefined : countCalls(app)
  app.decorateRequest('caller', null)
  app.decorateReply('giveBacks', null)
  addBrowserToRequests(app)
  const guard = (request: FastifyRequest) => authenticate(deps, request)
  // Counted right after the guard, not with the response: an aborted call still used the token.
  const note = (request: FastifyRequest) => counts?.noteToken(request.headers.authorization ?? '')
  const countRead = (request: FastifyRequest, reply: FastifyReply) => limitReads(deps, request, reply)
  enforceAccess(
    app,
    config,
    counts === undefined ? guard : (request) => guard(request).then(() => note(request)),
    countRead,
  )
  answerWhenDurable(app, db)
  // The answer says to try again, so the limits let the caller do that.
  app.addHook('onError', (_request, reply, error, done) => {
    if (reasonOf(error) !== undefined) deps.rateLimits.giveBack(reply)
    done()
  })
  const methodsByUrl = collectMethods(app)

  addHealth(app, db)
  if (config.metricsToken !== undefined && counts !== undefined) {
    // The library takes 40 ms or more to load; a start without metrics skips it.
    const { addMetrics } = await import('./http/monitoring/metrics-endpoint.ts')
    const queries = {
      database: async () => {
        if (db.damage() !== undefined) throw db.damage()
        const nowMs = clock.now()
        const isOwnersOnly = (await findUnprovenMailResumeTime(config, db, nowMs)) !== undefined
        return {
          mailQueue: await findQueueStats(db, nowMs, isOwnersOnly),
          ratesAgeMs: await findRatesAgeMs(db, nowMs),
        }
      },
      mailAttempts: () => deps.mailer.attempts(),
      clientDocuments: () => deps.clientDocuments.results(),
      apps: () => deps.oauthCounts.apps(),
      tokenRequests: () => deps.oauthCounts.tokenRequests(),
      pools: () => db.pools(),
      space: () => db.space(),
    }
    addMetrics(app, config.metricsToken, { config, log, version, counts, stalls, queries })
  }
  payPage.addTo(app)
  addWebApp(app, deps)
  addDocs(app, config)
  addMetadata(app, config)
  addMcpMetadata(app, config)
  await extend?.(app)
  await app.register(
    async (api: App) => {
      for (const add of endpoints) add(api, deps)
      await api.register(async (oauth: App) => {
        readForms(oauth)
        for (const add of oauthEndpoints) add(oauth, deps)
      })
      serveOpenApi(api)
    },
    { prefix: '/api/v1' },
  )
  addMethodNotAllowed(app, methodsByUrl)
  await app.ready()
  return app
}
