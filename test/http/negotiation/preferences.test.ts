import assert from 'node:assert/strict'
import test from 'node:test'
import fastify from 'fastify'
import { preferencesOf } from '../../../src/http/negotiation/preferences.ts'

const app = fastify()
app.get('/', async (request) => preferencesOf(request))

async function preferencesWith(headers: Readonly<Record<string, string>>): Promise<unknown> {
  return (await app.inject({ url: '/', headers })).json()
}

test('the cookies decide on language and theme, whatever the browser accepts', async () => {
  const headers = { cookie: 'a=1; language=ro; theme=dark', 'accept-language': 'en-GB' }
  assert.deepEqual(await preferencesWith(headers), { language: 'ro', theme: 'dark' })
})

test('without a cookie the language is negotiated, then English, and the theme is that of the system', async () => {
  const expected = { 'ro-RO,ro;q=0.9,en;q=0.8': 'ro', 'de, en;q=0.5, ro;q=0.9': 'ro', 'ro;q=0': 'en', 'de-DE': 'en' }
  for (const [accepted, language] of Object.entries(expected)) {
    assert.deepEqual(await preferencesWith({ 'accept-language': accepted }), { language, theme: 'system' }, accepted)
  }
  assert.deepEqual(await preferencesWith({}), { language: 'en', theme: 'system' })
})

test('unknown values in a cookie are ignored', async () => {
  for (const cookie of [
    'language=de; theme=blue',
    'language=; theme=',
    'language=EN; theme=Dark',
    'language="; theme=%00',
  ]) {
    assert.deepEqual(await preferencesWith({ cookie, 'accept-language': 'ro' }), { language: 'ro', theme: 'system' })
  }
})

test('an Accept-Language longer than 1,000 characters is not parsed', async () => {
  const longest = `ro${','.repeat(998)}`
  assert.deepEqual(await preferencesWith({ 'accept-language': longest }), { language: 'ro', theme: 'system' })
  assert.deepEqual(await preferencesWith({ 'accept-language': `${longest},` }), { language: 'en', theme: 'system' })
})
