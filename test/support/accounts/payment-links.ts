import assert from 'node:assert/strict'
import type { Database } from '../../../src/database/database.ts'
import type { Clock } from '../../../src/lib/clock.ts'
import { upsertRates } from '../../../src/domain/payment-links/exchange-rate-store.ts'
import type { Call, Service } from '../service.ts'

type Caller = Pick<Service, 'call'>

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

/** Creates `count` links, three per millisecond, and returns them newest first. */
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

export async function publicStatusOf({ call }: Caller, id: string): Promise<string> {
  const answer = await call(`GET /payment-links/${id}/public`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.paymentLink.status
}

export async function listAllIds(
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
    assert.notEqual(body.paymentLinks.length, 0, 'only the last page may be empty')
    await between()
  }
}

/** The day so many days before that of the clock, `YYYY-MM-DD`. */
export const dayBefore = ({ now }: Clock, days: number): string =>
  new Date(now() - days * 24 * 3600 * 1000).toISOString().slice(0, 10)

export function holdRates(db: Database, date: string, rates: Readonly<Record<string, string>>): Promise<void> {
  const rows = Object.entries(rates).map(([currency, ronPerUnit]) => ({ currency, date, ronPerUnit }))
  return db.transaction((trx) => upsertRates(trx, rows))
}

/** The rates of one day: text and optional multiplier of each. */
export type DayOfDocument = Readonly<{
  date: string
  rates: readonly (readonly [currency: string, text: string, multiplier?: string])[]
}>

/** Rates for tests that need any valid day. */
export const usualRates: DayOfDocument['rates'] = [
  ['AED', '1.1703'],
  ['EUR', '4.9770'],
  ['GBP', '5.8321'],
  ['HUF', '1.2844', '100'],
]

/** A rates document in the format of https://www.bnr.ro/nbrfxrates.xml. */
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
