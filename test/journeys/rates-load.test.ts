import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { temporaryFolder } from '../support/files.ts'
import { bankDocument, createLink, readLink, usualRates } from '../support/accounts/payment-links.ts'
import { runCli } from '../support/process/process.ts'
import { databaseEnv, queryDatabase, serveIn } from '../support/process/served.ts'
import { serving } from '../support/http/serving.ts'
import { until } from '../support/until.ts'

const folder = temporaryFolder()
after(() => folder.remove())

let env: Record<string, string>
before(async () => {
  env = await databaseEnv(folder.path)
})

const load = (...args: string[]) => runCli(['rates', 'load', ...args], { cwd: folder.path, env }).exited
const held = () =>
  queryDatabase(folder.path, 'select currency, date, ron_per_unit from exchange_rates order by currency, date')
const file = (name: string, text: string | Buffer): string => {
  writeFileSync(join(folder.path, name), text)
  return name
}
const right = bankDocument(
  { date: '2026-11-20', rates: usualRates },
  {
    date: '2026-11-19',
    rates: [
      ['EUR', '4.9'],
      ['GBP', '58', '10'],
    ],
  },
)

test('a valid document is stored and printed, every day of it, even before the first start of a service', async () => {
  const { code, output } = await load(file('rates.xml', right))
  assert.equal(code, 0, output)
  const [database = '', ...printed] = output.split('\n')
  assert.match(database, /^Database: /)
  assert.equal(
    printed.join('\n'),
    '2026-11-20  1 EUR = 4.9770 RON\n2026-11-20  1 GBP = 5.8321 RON\n2026-11-19  1 EUR = 4.9 RON\n2026-11-19  1 GBP = 5.8 RON\n',
  )
  const asJson = await load('rates.xml', '--json')
  assert.deepEqual(JSON.parse(asJson.output.slice(database.length)).rates[0], {
    currency: 'EUR',
    date: '2026-11-20',
    ronPerUnit: '4.9770',
  })
  assert.deepEqual(await held(), [
    { currency: 'EUR', date: '2026-11-19', ron_per_unit: '4.9' },
    { currency: 'EUR', date: '2026-11-20', ron_per_unit: '4.9770' },
    { currency: 'GBP', date: '2026-11-19', ron_per_unit: '5.8' },
    { currency: 'GBP', date: '2026-11-20', ron_per_unit: '5.8321' },
  ])
})

test('for any other file it gives the reason without a stack trace, exits with 1, and changes nothing', async () => {
  const earlier = await held()
  const secret = 'A-SECRET-OF-THE-FILE'
  const wrong = {
    'one-rate.xml': right.replace(/<Rate currency="GBP".*\n/, `<!-- ${secret} -->`),
    'last-day.xml': right.replace('5.8321', '-5.8321').replace('4.9770', '4.9999'),
    'entities.xml': `<!DOCTYPE x [<!ENTITY e "${secret}">]>${right}`,
    'page.html': `<html>${secret}</html>`,
    'empty.xml': '',
    'binary.xml': Buffer.from(right, 'utf16le'),
  }
  for (const [name, text] of Object.entries(wrong)) {
    const { code, output } = await load(file(name, text))
    assert.equal(code, 1, output)
    assert.match(
      output,
      new RegExp(`^Database: .*\n${name}: The document of exchange rates .+\\. Nothing was changed\\.\n$`),
    )
    assert.ok(!output.includes(secret))
  }
  for (const path of ['nowhere.xml', '.']) {
    const { code, output } = await load(path)
    assert.equal(code, 1, output)
    assert.match(output, /^Database: .*\n\S+ cannot be read: E[A-Z]+\n$/)
  }
  assert.deepEqual(await held(), earlier)
})

test('it takes exactly one file', async () => {
  for (const args of [[], ['a.xml', 'b.xml']]) assert.equal((await load(...args)).code, 64)
})

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://auth.paylink.example',
  JWT_SECRET: 'mB7rVq2xW0sTz9LdKf5hYc8nGp3uJe6aRiXoQwEt1ZvN4CyU',
  SMTP_URL: 'smtp://127.0.0.1:9',
}

test('without rates of the last seven days, development uses sample rates, marked with their date, and production none', async () => {
  const own = temporaryFolder()
  const oldDay = new Date(Date.now() - 8 * 24 * 3600 * 1000).toISOString().slice(0, 10)
  const old = join(own.path, 'old.xml')
  writeFileSync(old, bankDocument({ date: oldDay, rates: usualRates }))
  const loaded = runCli(['rates', 'load', old], { cwd: own.path, env: await databaseEnv(own.path) })
  assert.equal((await loaded.exited).code, 0)
  const seenBy = async (settings: Record<string, string>, email: string) => {
    const service = await serveIn(own.path, settings)
    try {
      const { token } = (await service.call('POST /auth/api/signup', { body: { email } })).body
      const { id } = await createLink(service, token)
      const headers = { 'x-currency': 'EUR' }
      const link = await readLink(service, token, id, headers)
      const listed = (await service.call('GET /payment-links', { token, headers })).body.paymentLinks[0]
      const ended = (await service.call(`POST /payment-links/${id}/deactivate`, { token, headers })).body.paymentLink
      const exported = (await service.call('GET /users/me/export', { token, headers })).body.paymentLinks[0]
      return [link, listed, ended, exported].map(({ amount, original, exchangeRate }) => [
        amount,
        original,
        exchangeRate,
      ])
    } finally {
      await service.stop()
    }
  }
  try {
    const original = { value: 1050, currency: 'RON' }
    const sample = { rate: '0.2', date: '2026-01-01', source: 'SAMPLE' }
    assert.deepEqual(
      await seenBy({}, 'ana@example.com'),
      Array.from({ length: 4 }, () => [{ value: 210, currency: 'EUR' }, original, sample]),
    )
    assert.deepEqual(
      await seenBy(PRODUCTION, 'bob@example.com'),
      Array.from({ length: 4 }, () => [null, original, null]),
    )
  } finally {
    own.remove()
  }
})

test('a running service uses the rates from its next call on, and also loads the bank’s itself', async (t) => {
  const day = new Date().toISOString().slice(0, 10)
  const bank = await serving(t, (_, response) =>
    response.end(
      bankDocument({
        date: day,
        rates: [
          ['EUR', '5'],
          ['GBP', '6'],
        ],
      }),
    ),
  )
  const service = await serveIn(folder.path, { EXCHANGE_RATES_URL: bank.url })
  try {
    await until(async () => (await held()).length === 6, 'the bank’s rates are stored')
    const { body } = await service.call('POST /auth/api/signup', { body: { email: 'ana@example.com' } })
    const { id } = await createLink(service, body.token)
    const inEuro = async () => (await readLink(service, body.token, id, { 'x-currency': 'EUR' })).amount.value
    assert.equal(await inEuro(), 210)
    assert.equal(
      (
        await load(
          file(
            'today.xml',
            bankDocument({
              date: day,
              rates: [
                ['EUR', '4.2'],
                ['GBP', '6'],
              ],
            }),
          ),
        )
      ).code,
      0,
    )
    assert.equal(await inEuro(), 250)
    assert.deepEqual(bank.requests, ['GET /'])
  } finally {
    await service.stop()
  }
})
