/** The page of an existing payment link: requester, title, amounts, reference and expiry. */
import { toAmounts, toMoney } from '../../domain/payment-links/amounts.ts'
import type { ReferenceRates } from '../../domain/payment-links/conversion.ts'
import { currencies } from '../../domain/payment-links/currency.ts'
import type { Currency } from '../../domain/payment-links/currency.ts'
import { statusOfPaymentLink } from '../../domain/payment-links/payment-link-store.ts'
import type { RequestedPayment } from '../../domain/payment-links/payment-link-store.ts'
import { html, noHtml } from '../../lib/text/html.ts'
import type { Html } from '../../lib/text/html.ts'
import { clipped, toDay, toMoment, toMoneyText, toRateText } from './pay-page-format.ts'
import { care, socialTags, stateContent } from './pay-page-problems.ts'
import { addressOf } from './pay-page-template.ts'
import type { Content, View } from './pay-page-template.ts'
import { wordsIn } from './pay-page-words.ts'

// Inserted, because the bundler cannot write it with ASCII inside a tagged template.
const APPROXIMATELY = '≈'

type Context = Readonly<{ nowMs: number; rates: ReferenceRates; /** Address of the link. */ url: string }>

export function requestContent(
  payment: RequestedPayment,
  view: View,
  { nowMs, rates, url }: Context,
): Content & Readonly<{ status: number }> {
  // A link on hold may be a stranger's in another person's account: nothing of it is shown.
  if (payment.isHeld) return { status: 403, ...stateContent('held', view) }
  const status = statusOfPaymentLink(payment, nowMs)
  if (status === 'ACTIVE') return { status: 200, ...openContent(payment, view, rates, url) }
  const state = status === 'EXPIRED' ? 'expired' : 'ended'
  return { status: 410, ...stateContent(state, view, endedDetails(payment, view)) }
}

function openContent(payment: RequestedPayment, view: View, rates: ReferenceRates, url: string): Content {
  const words = wordsIn(view.language)
  const { title, reference } = payment
  const money = toMoneyText(toMoney(payment), view.language)
  const untilMs = payment.expires_at_ms
  return {
    ...headOf(payment, money, view, url),
    main: html` <div class="card stack">
        ${unverifiedNotice(payment, view)}
        <div class="ask">
          <p>${asksOf(payment, view)}</p>
          <p class="price">${money}</p>
          <h1><span class="soft">${words.askedFor}</span> <bdi>${title}</bdi></h1>
        </div>
        ${conversion(payment, view, rates)}
        ${details([
          [words.reference, reference === null ? undefined : html`<bdi>${reference}</bdi>`],
          [words.validUntil, untilMs === null ? undefined : timeOf(untilMs, view)],
        ])}
        <p class="notice">${reference === null ? words.how : words.howWithReference}</p>
      </div>
      ${care(view)}`,
  }
}

function headOf(payment: RequestedPayment, money: string, view: View, url: string): Pick<Content, 'title' | 'head'> {
  const words = wordsIn(view.language)
  // Anybody can create an account nobody has claimed: its words would speak in the product's name in a chat.
  if (!payment.isRequesterProven) {
    const title = words.paymentRequest
    return { title, head: socialTags(title, words.unverifiedSummary, view, url) }
  }
  const title = `${clipped(payment.title)} · ${money}`
  const summary =
    payment.requesterName === null
      ? words.summaryWithoutName(money)
      : words.summary(clipped(payment.requesterName), money)
  return { title, head: socialTags(title, `${summary} ${words.care}`, view, url) }
}

function endedDetails(payment: RequestedPayment, view: View): Html {
  const words = wordsIn(view.language)
  const { requesterName: name, reference } = payment
  return html`${unverifiedNotice(payment, view)}
  ${details([
    [words.from, name === null ? undefined : html`<bdi>${name}</bdi>`],
    [words.description, html`<bdi>${payment.title}</bdi>`],
    [words.amount, html`${toMoneyText(toMoney(payment), view.language)}`],
    [words.reference, reference === null ? undefined : html`<bdi>${reference}</bdi>`],
  ])}`
}

function unverifiedNotice({ isRequesterProven }: RequestedPayment, { language }: View): Html {
  if (isRequesterProven) return noHtml
  const { unverified, unverifiedWhy } = wordsIn(language)
  return html` <p class="notice warn"><strong>${unverified}</strong> ${unverifiedWhy}</p>`
}

/** The amount in another currency: the one chosen, or else a common one, if there is a rate. */
function conversion(payment: RequestedPayment, view: View, rates: ReferenceRates): Html {
  const words = wordsIn(view.language)
  const original = toMoney(payment)
  const others = currencies.filter((currency) => currency !== original.currency)
  const chosen = others.find((currency) => currency === view.currency)
  const shown = chosen ?? (original.currency === 'RON' ? 'EUR' : 'RON')
  const { amount, exchangeRate } = toAmounts(payment, shown, rates)
  if (amount === null || exchangeRate === null) {
    return chosen === undefined ? noHtml : html`<p class="soft small">${words.noRate(chosen)}</p>`
  }
  const rate = `1\u00a0${original.currency}\u00a0=\u00a0${toRateText(exchangeRate.rate, view.language)}\u00a0${shown}`
  const source =
    exchangeRate.source === 'BNR'
      ? words.bankRate(toDay(exchangeRate.date, view.language), rate)
      : words.sampleRate(rate)
  return html`<div class="conversion">
    <p>
      <span class="visually-hidden">${words.about}</span
      ><span aria-hidden="true">${APPROXIMATELY}</span> ${toMoneyText(amount, view.language)}
    </p>
    <nav class="currencies" aria-label="${words.showIn}">
      ${others.map((currency) => currencyLink(currency, currency === shown, view))}
    </nav>
    <p class="soft small">${source}</p>
  </div>`
}

function currencyLink(currency: Currency, isShown: boolean, { language }: View): Html {
  const address = addressOf({ language, currency })
  return html`<a href="${address}" rel="nofollow" ${isShown ? html` aria-current="true"` : noHtml}>${currency}</a>`
}

function asksOf({ requesterName: name }: RequestedPayment, { language }: View): Html {
  const { asks, asksWithoutName } = wordsIn(language)
  return name === null
    ? html`${asksWithoutName}`
    : html`<strong><bdi>${name}</bdi></strong> <span class="soft">${asks}</span>`
}

const timeOf = (atMs: number, { language }: View): Html =>
  html`<time datetime="${new Date(atMs).toISOString()}">${toMoment(atMs, language)}</time>`

function details(rows: readonly (readonly [term: string, value: Html | undefined])[]): Html {
  const shown = rows.flatMap(([term, value]) =>
    value === undefined
      ? []
      : html`<div>
          <dt>${term}</dt>
          <dd>${value}</dd>
        </div>`,
  )
  return shown.length === 0 ? noHtml : html`<dl>${shown}</dl>`
}
