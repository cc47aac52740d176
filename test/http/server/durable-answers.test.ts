import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import type { App } from '../../../src/http/endpoint.ts'
import { answerWhenDurable } from '../../../src/http/server/durable-answers.ts'

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** A server whose disk has a sync in progress. */
function startServer() {
  const sync = Promise.withResolvers<void>()
  const app = Fastify() as unknown as App
  answerWhenDurable(app, { noteReads: (run) => run(), pendingSync: () => sync.promise })
  app.post('/write', async () => 'done')
  app.get('/read', async () => 'read')
  app.get('/verify', { config: { signIn: 'magic_link' } }, async () => 'signed in')
  app.route({ method: ['GET', 'POST'], url: '/check', handler: async () => 'checked' })
  const answered: string[] = []
  const call = (method: 'GET' | 'POST', url: string) =>
    app.inject({ method, url }).then((answer) => {
      answered.push(`${method} ${url}`)
      return answer
    })
  return { sync, app, answered, call }
}

test('answers of writing operations wait for the disk, and those of reads do not', async () => {
  const { sync, answered, call } = startServer()
  const writes = [call('POST', '/write'), call('GET', '/verify')]
  await Promise.all([call('GET', '/read'), call('GET', '/check'), call('POST', '/check')])
  for (let n = 0; n < 20; n++) await turn()
  assert.deepEqual(answered.toSorted(), ['GET /check', 'GET /read', 'POST /check'])
  sync.resolve()
  assert.deepEqual(
    (await Promise.all(writes)).map(({ payload }) => payload),
    ['done', 'signed in'],
  )
})

test('after a failed sync a writing operation is answered with an error, not with its result', async () => {
  const { sync, call } = startServer()
  sync.promise.catch(() => {})
  sync.reject(new Error('EIO'))
  const { statusCode, payload } = await call('POST', '/write')
  assert.equal(statusCode, 500)
  assert.doesNotMatch(payload, /done/)
})
