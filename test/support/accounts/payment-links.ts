/** Payment links as their makers use them, and documents of rates as the bank writes them. */
import assert from 'node:assert/strict'
import type { Database } from '../../../src/database/database.ts'
import { keepRates } from '../../../src/domain/payment-links/exchange-rate-store.ts'
import type { Call, Service } from '../service.ts'

type Caller = Pick<Service, 'call'>

/** A new payment link of whoever the token is, as it is answered. */
export async function createLink(
  { call }: Caller,
  token: string,
  body: object = {},
  headers: Call['headers'] = {},
): Promise<any> {
  const answer = await call('POST /payment-links', { token, headers, body: { amount: 1050, title: 'Lunch', ...body } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.paymentLink
}

/** So many links, of three in each millisecond; the newest first. */
export async function makeLinks(
  service: Pick<Service, 'call' | 'clock'>,
  token: string,
  count: number,
): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    if (n % 3 === 0) service.clock.advance(1)
    ids.unshift((await createLink(service, token, { title: `Link ${n}` })).id)
  }
  return ids
}

/** Reads a payment link. */
export async function readLink(
  { call }: Caller,
  token: string,
  id: string,
  headers: Call['headers'] = {},
): Promise<any> {
  const answer = await call(`GET /payment-links/${id}`, { token, headers })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.paymentLink
}

/** The status of a payment link as whoever pays sees it. */
export async function publicStatusOf({ call }: Caller, id: string): Promise<string> {
  const answer = await call(`GET /payment-links/${id}/public`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.paymentLink.status
}

/** All ids of a list, page by page. */
export async function walk(
  { call }: Caller,
  token: string,
  query: Readonly<Record<string, string>> = {},
  between = async () => {},
): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = null; ;) {
    const fields = new URLSearchParams({ ...query, ...(cursor === null ? {} : { cursor }) })
    const { status, text, body } = await call(`GET /payment-links?${fields.toString()}`, { token })
    assert.equal(status, 200, text)
    ids.push(...body.paymentLinks.map(({ id }: { id: string }) => id))
    cursor = body.nextCursor
    if (cursor === null) return ids
    assert.notEqual(body.paymentLinks.length, 0, 'no page is empty but the last')
    await between()
  }
}

/** Puts rates of a day into the database. */
export function holdRates(db: Database, date: string, rates: Readonly<Record<string, string>>): Promise<void> {
  const rows = Object.entries(rates).map(([currency, ronPerUnit]) => ({ currency, date, ronPerUnit }))
  return db.transaction((trx) => keepRates(trx, rows))
}

/** A day of a document: its rates, each with its text and, where there is one, its multiplier. */
export type DayOfDocument = Readonly<{
  date: string
  rates: readonly (readonly [currency: string, text: string, multiplier?: string])[]
}>

/** The rates of a day that any document has. */
export const usualRates: DayOfDocument['rates'] = [
  ['AED', '1.1703'],
  ['EUR', '4.9770'],
  ['GBP', '5.8321'],
  ['HUF', '1.2844', '100'],
]

/** A document as https://www.bnr.ro/nbrfxrates.xml is one. */
export function bankDocument(...days: readonly DayOfDocument[]): string {
  const cubes = days.map(({ date, rates }) => {
    const lines = rates.map(([currency, text, multiplier]) => {
      const attribute = multiplier === undefined ? '' : ` multiplier="${multiplier}"`
      return `      <Rate currency="${currency}"${attribute}>${text}</Rate>`
    })
    return [`    <Cube date="${date}">`, ...lines, '    </Cube>'].join('\n')
  })
  return `<?xml version="1.0" encoding="utf-8"?>
<DataSet xmlns="http://www.bnr.ro/xsd" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.bnr.ro/xsd nbrfxrates.xsd">
  <Header>
    <Publisher>National Bank of Romania</Publisher>
    <PublishingDate>${days[0]?.date}</PublishingDate>
    <MessageType>DR</MessageType>
  </Header>
  <Body>
    <Subject>Reference rates</Subject>
    <OrigCurrency>RON</OrigCurrency>
${cubes.join('\n')}
  </Body>
</DataSet>
`
}
