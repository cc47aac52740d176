import { inTypeScript } from './literals.ts'
import { exampleLink } from './sample.ts'
import type { Sample } from './sample.ts'

const { idempotencyKey, currency, amount, title, reference } = exampleLink

export const typescript: Sample = {
  language: 'TypeScript',
  file: 'create-link.mts',
  run: 'node create-link.mts',
  program: ({ baseUrl, keyId, keySecret }) => String.raw`import { ApiError, createClient } from '@paylink-auth/client'

// The client exchanges the key for a token and renews it.
const client = createClient({
  baseUrl: ${inTypeScript(baseUrl)},
  keyId: ${inTypeScript(keyId)},
  keySecret: ${inTypeScript(keySecret)},
  currency: '${currency}',
})

try {
  const { data } = await client.POST('/payment-links', {
    body: {
      amount: ${amount},
      title: '${title}',
      reference: '${reference}',
    },
    // A repeated call returns the same link.
    params: { header: { 'idempotency-key': '${idempotencyKey}' } },
  })
  console.log(data.paymentLink.url)
} catch (error) {
  if (error instanceof ApiError) {
    console.error(error.code, error.message, 'request', error.requestId)
  } else {
    console.error(String(error))
  }
  process.exitCode = 1
}`,
}
