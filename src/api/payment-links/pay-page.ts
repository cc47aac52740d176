/** `GET /pay/:id`: the page of a payment link, complete without JavaScript (docs/decisions/0050). */
import { existsSync, readFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { languages } from '../../domain/languages.ts'
import { currencies } from '../../domain/payment-links/currency.ts'
import { paymentUrl } from '../../domain/payment-links/operations/describe-link.ts'
import { findRequestedPayment } from '../../domain/payment-links/payment-link-store.ts'
import { findAllUsableRates } from '../../domain/payment-links/usable-rates.ts'
import { ApiError } from '../../errors.ts'
import type { Deps } from '../../http/deps.ts'
import type { App } from '../../http/endpoint.ts'
import { preferencesOf } from '../../http/negotiation/preferences.ts'
import type { AnswerAsPage } from '../../http/server/error-responses.ts'
import { addVary } from '../../http/negotiation/vary.ts'
import { OperatorError } from '../../lib/process/operator-error.ts'
import { packageRoot } from '../../lib/process/package-root.ts'
import { createRefreshingCache } from '../../lib/refreshing-cache.ts'
import { problemContent } from './pay-page-problems.ts'
import { fillTemplate } from './pay-page-template.ts'
import type { Content, View } from './pay-page-template.ts'
import { requestContent } from './pay-page-request.ts'

const PAY_PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const RATES_FRESH_MS = 60_000
/** A longer one is cut off: parsing it would only cost processor time. */
const MAX_QUERY_LENGTH = 1000
const TEMPLATE = new URL('web/dist/pay.html', packageRoot)

const options = { config: { access: 'public' }, schema: { hide: true } } as const

class PayPageMissingError extends OperatorError {
  constructor() {
    super('The page of a payment link is not built. Run npm run build:web (npm start does).')
  }
}

export type PayPage = Readonly<{
  /** Call it before routes and hooks that answer unknown paths. */
  addTo(app: App): void
  /** Errors below `/pay` are pages, because a payer cannot read JSON. */
  answerError: AnswerAsPage
}>

/**
 * Reads the template once.
 * @throws {OperatorError} if it is not built
 */
export function createPayPage(deps: Deps): PayPage {
  if (!existsSync(TEMPLATE)) throw new PayPageMissingError()
  const template = readFileSync(TEMPLATE, 'utf8')
  const { config, db, clock } = deps
  const rates = createRefreshingCache(
    () => findAllUsableRates(deps, db),
    { freshForMs: RATES_FRESH_MS, maxAgeOnErrorMs: RATES_FRESH_MS, cooldownMs: RATES_FRESH_MS, failureCooldownMs: 0 },
    clock,
  )

  function send(reply: FastifyReply, view: View, content: Content): FastifyReply {
    addVary(reply, 'Accept-Language, Cookie')
    return reply
      .header('content-security-policy', PAY_PAGE_POLICY)
      .header('content-language', view.language)
      .type('text/html; charset=utf-8')
      .send(fillTemplate(template, view, content))
  }

  async function answer(request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) {
    const payment = await findRequestedPayment(db, request.params.id)
    if (payment === undefined) throw new ApiError('NOT_FOUND')
    const view = viewOf(request)
    const content = requestContent(payment, view, {
      nowMs: clock.now(),
      rates: await rates.get(),
      url: paymentUrl(config, payment.id),
    })
    return send(reply.status(content.status), view, content)
  }

  return {
    addTo(app) {
      app.addHook('onRequest', (request, _reply, done) => {
        done(request.is404 && isBelowPay(request) ? new ApiError('NOT_FOUND') : undefined)
      })
      app.get('/pay/:id', options, answer)
    },
    answerError({ status }, request, reply) {
      if (!isBelowPay(request)) return false
      const view = viewOf(request)
      void send(reply, view, problemContent(status, view))
      return true
    },
  }
}

/** Also for a path that has no route, or that cannot be decoded. Other methods come from programs. */
function isBelowPay({ method, routeOptions, originalUrl }: FastifyRequest): boolean {
  return ['GET', 'HEAD'].includes(method) && /^\/pay(?:$|[/?])/.test(routeOptions.url ?? originalUrl)
}

function viewOf(request: FastifyRequest): View {
  // Not `query`: a path that cannot be decoded has none.
  const asked = new URLSearchParams(request.originalUrl.split('?')[1]?.slice(0, MAX_QUERY_LENGTH))
  const { language, theme } = preferencesOf(request)
  return {
    // Named in the URL, because a cookie would take a script or a form.
    language: languages.find((one) => one === asked.get('language')) ?? language,
    theme,
    currency: currencies.find((one) => one === asked.get('currency')),
  }
}
