import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { FastifyReply } from 'fastify'
import { enforceAccess } from '../../../../src/http/access.ts'
import type { App } from '../../../../src/http/endpoint.ts'
import { createServer } from '../../../../src/http/server/server.ts'
import { assertError, assertSecurityHeaders } from '../../../support/http/answers.ts'
import { sendRaw } from '../../../support/wire/raw.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

let service: Service
let app: App
let origin: string
before(async () => {
  service = await startService({ LOG_LEVEL: 'info' })
  app = createServer(service.deps, () => undefined)
  enforceAccess(app, service.deps.config, async () => {})
  const open = { config: { access: 'public' } } as const
  app.post('/ok', open, async () => ({ ok: true }))
  for (const hook of hooks) {
    for (const [how, act] of Object.entries({ throw: fail, reject: async () => fail(), later })) {
      app.post(`/${hook}/${how}`, { ...open, [hook]: unlessAnswering(act) }, async () => ({ ok: true }))
    }
  }
  app.post('/handler/throw', open, fail)
  app.post('/handler/later', open, later)
  for (const [index, thrown] of odd.entries()) {
    app.post(`/odd/${index}`, open, async () => {
      throw thrown
    })
  }
  app.post(
    '/unserialisable',
    { ...open, schema: { response: { 200: { type: 'object', properties: { at: { type: 'integer' } } } } } },
    async () => {
      const answer: Record<string, unknown> = { at: 'QZXJ' }
      return answer
    },
  )
  app.post('/circular', open, async () => {
    const answer: Record<string, unknown> = {}
    return Object.assign(answer, { answer })
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
after(async () => {
  await app.close()
  await service.close()
})

const hooks = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'preSerialization', 'onSend'] as const
const odd: readonly unknown[] = [
  undefined,
  null,
  0,
  '',
  'QZXJ',
  404,
  true,
  Symbol('QZXJ'),
  {},
  [],
  { statusCode: 200, message: 'QZXJ' },
  { statusCode: 'QZXJ' },
  { code: {} },
  Object.freeze(new Error('QZXJ')),
  Object.create(null),
  new Error('QZXJ', { cause: new Error('QZXJ') }),
  new AggregateError([new Error('QZXJ')], 'QZXJ'),
  () => 'QZXJ',
]

const fail = (): never => {
  throw new TypeError('QZXJ: an internal fault')
}
// The reply's hooks run again for the error answer, where they must not fail.
const unlessAnswering = (act: () => unknown) => (_request: unknown, reply: FastifyReply) =>
  reply.statusCode < 500 ? act() : Promise.resolve()
async function later(): Promise<never> {
  await new Promise((resolve) => setImmediate(resolve))
  return fail()
}

const post = (path: string) => sendRaw(origin, [`POST ${path} HTTP/1.1`, 'Content-Type: application/json'], '{}')

async function assertFault(path: string): Promise<void> {
  const answer = await post(path)
  assertError(answer, 'INTERNAL', 'Internal error. Report it with the X-Request-Id of this response.')
  assertSecurityHeaders(answer, path)
  assert.doesNotMatch(`${answer.text}${[...answer.headers].join()}`, /QZXJ/, path)
  const requestId = answer.headers.get('x-request-id') ?? '?'
  const lines = service.logLines.filter((line) => line.includes(requestId)).map((line) => JSON.parse(line))
  assert.ok(
    lines.some(({ level, msg }) => level === 50 && msg === 'INTERNAL'),
    `${path}: ${JSON.stringify(lines)}`,
  )
  assert.equal((await post('/ok')).status, 200, 'the next request is served')
}

describe('a fault', () => {
  for (const hook of hooks) {
    test(`in ${hook} gets 500, whether thrown, rejected or asynchronous [F39]`, async () => {
      for (const how of ['throw', 'reject', 'later']) await assertFault(`/${hook}/${how}`)
    })
  }

  test('in a handler gets 500, whether thrown or asynchronous [F39]', async () => {
    for (const how of ['throw', 'later']) await assertFault(`/handler/${how}`)
  })

  test('gets 500 whatever value is thrown [F39]', async () => {
    for (const index of odd.keys()) await assertFault(`/odd/${index}`)
  })

  test('in serialising an answer gets 500, and nothing of the answer is sent [F39]', async () => {
    for (const path of ['/circular', '/unserialisable']) await assertFault(path)
  })
})
