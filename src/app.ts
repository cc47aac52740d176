/** Builds the server from its dependencies: the readable list of what the service offers. It opens and listens to nothing. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from './accounts/authenticate.ts'
import { limitReads } from './accounts/read-limit.ts'
import { isUnavailable } from './database/open.ts'
import type { MailKind } from './database/tables/mail-tables.ts'
import type { Deps } from './deps.ts'
import { createKey } from './features/api-keys/create-key.ts'
import { exchangeToken } from './features/api-keys/exchange-token.ts'
import { keepKey } from './features/api-keys/keep-key.ts'
import { composeKeyNotice } from './features/api-keys/key-notice.ts'
import { listDescendants } from './features/api-keys/list-descendants.ts'
import { listKeys } from './features/api-keys/list-keys.ts'
import { reportLeaked } from './features/api-keys/report-leaked.ts'
import { revokeKey } from './features/api-keys/revoke-key.ts'
import { rotateKey } from './features/api-keys/rotate-key.ts'
import { composeSignupMail } from './features/api-keys/signup-mail.ts'
import { signup } from './features/api-keys/signup.ts'
import { check } from './features/check/check.ts'
import { getConfig } from './features/configuration/get-config.ts'
import { addDocs } from './features/docs/docs.ts'
import { listEvents } from './features/events/list-events.ts'
import { googleCallback } from './features/google/callback.ts'
import { connectGoogle } from './features/google/connect.ts'
import { composeConnectionNotice } from './features/google/connection-notice.ts'
import { disconnectGoogle } from './features/google/disconnect.ts'
import { getConnection } from './features/google/get-connection.ts'
import { oneTap } from './features/google/one-tap.ts'
import { startGoogle } from './features/google/start.ts'
import { inspectLink } from './features/magic-link/inspect-link.ts'
import { notMe } from './features/magic-link/not-me.ts'
import { createPaymentLink } from './features/payment-links/create-payment-link.ts'
import { deactivatePaymentLink } from './features/payment-links/deactivate-payment-link.ts'
import { getPaymentLink } from './features/payment-links/get-payment-link.ts'
import { getPublicPaymentLink } from './features/payment-links/get-public-payment-link.ts'
import { listPaymentLinks } from './features/payment-links/list-payment-links.ts'
import { requestLink } from './features/magic-link/request-link.ts'
import { resumeMail } from './features/magic-link/resume-mail.ts'
import { composeSignInMail } from './features/magic-link/sign-in-mail.ts'
import { verifyLink } from './features/magic-link/verify-link.ts'
import { deleteMe } from './features/users/delete-me.ts'
import { exportMe } from './features/users/export-me.ts'
import { getMe } from './features/users/get-me.ts'
import { revokeTokens } from './features/users/revoke-tokens.ts'
import { updateMe } from './features/users/update-me.ts'
import { addWebApp } from './features/web-app/web-app.ts'
import { answerOtherMethods, collectMethods, enforceAccess } from './http/access.ts'
import type { App, Endpoint } from './http/endpoint.ts'
import { addHealth } from './http/health.ts'
import { countCalls } from './http/metrics.ts'
import { serveOpenApi } from './http/openapi.ts'
import { createServer } from './http/server.ts'
import { findWhenUnprovenMayGo } from './mail/mail-budget.ts'
import { findQueueFigures } from './mail/mail-store.ts'
import type { Composer } from './mail/send-queue.ts'
import { version } from './version.ts'

/** Every endpoint below the base URL. */
const endpoints: readonly Endpoint[] = [
  requestLink,
  verifyLink,
  inspectLink,
  notMe,
  resumeMail,

  startGoogle,
  googleCallback,
  oneTap,
  getConnection,
  connectGoogle,
  disconnectGoogle,

  signup,
  exchangeToken,
  listKeys,
  createKey,
  revokeKey,
  rotateKey,
  keepKey,
  listDescendants,
  reportLeaked,

  createPaymentLink,
  listPaymentLinks,
  getPaymentLink,
  deactivatePaymentLink,
  getPublicPaymentLink,

  check,

  getMe,
  updateMe,
  deleteMe,
  exportMe,
  revokeTokens,
  listEvents,
  getConfig,
]

/** Every mail, and what makes its content. */
export const composers: Readonly<Record<MailKind, Composer>> = {
  sign_in: composeSignInMail,
  signup_notice: composeSignupMail,
  security_notice: composeKeyNotice,
  google_notice: composeConnectionNotice,
}

/**
 * Builds the server; it is ready to listen, and listens to nothing.
 * @param extend adds what exists only in development, on loopback, or looks at the routes that follow
 * @throws when a route does not state its access class
 */
export async function buildApp(deps: Deps, extend?: (app: App) => void | Promise<void>): Promise<App> {
  const { config, db, clock, log } = deps
  const app = createServer(deps, isUnavailable)
  const counts = config.metricsToken === undefined ? undefined : countCalls(app)
  app.decorateRequest('caller', null)
  const guard = (request: FastifyRequest) => authenticate(deps, request)
  // Noted before anything is done for it: who hangs up early has used the token all the same.
  const note = (request: FastifyRequest) => counts?.noteToken(request.headers.authorization ?? '')
  const countRead = (request: FastifyRequest, reply: FastifyReply) => limitReads(deps, request, reply)
  enforceAccess(app, config, counts === undefined ? guard : (request) => guard(request).then(() => note(request)), countRead)
  const methodsByUrl = collectMethods(app)

  addHealth(app, () => db.ping())
  if (config.metricsToken !== undefined && counts !== undefined) {
    // Its library takes 40 ms and more to load, which a start without it does not wait for.
    const { addMetrics } = await import('./http/metrics-endpoint.ts')
    const looks = {
      mailQueue: async () => {
        const nowMs = clock.now()
        return findQueueFigures(db, nowMs, (await findWhenUnprovenMayGo(config, db, nowMs)) !== undefined)
      },
      mailAttempts: () => deps.mailer.attempts(),
      pools: () => db.pools(),
    }
    addMetrics(app, config.metricsToken, { config, log, version, counts, looks })
  }
  addWebApp(app, deps)
  addDocs(app, config)
  await extend?.(app)
  await app.register(
    async (api: App) => {
      for (const add of endpoints) add(api, deps)
      serveOpenApi(api)
    },
    { prefix: '/api/v1' },
  )
  answerOtherMethods(app, methodsByUrl)
  await app.ready()
  return app
}
