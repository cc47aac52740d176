import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import type { App } from '../../../src/http/endpoint.ts'
import { answerWhenDurable } from '../../../src/http/server/durable-answers.ts'

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** A server whose disk has a sync in progress, of commits that change no `token_version`. */
function startServer() {
  const sync = Promise.withResolvers<void>()
  const app = Fastify() as unknown as App
  const pendingSync = (of: 'all' | 'access') => (of === 'all' ? sync.promise : undefined)
  answerWhenDurable(app, { noteReads: (run) => run(), pendingSync })
  app.post('/write', async () => 'done')
  app.post('/exchange', { config: { onlyReads: () => true } }, async () => 'a token')
  app.post('/token', { config: { onlyReads: () => false } }, async () => 'a token')
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
  const writes = [call('POST', '/write'), call('GET', '/verify'), call('POST', '/token')]
  const reads = [call('GET', '/read'), call('GET', '/check'), call('POST', '/check'), call('POST', '/exchange')]
  await Promise.all(reads)
  for (let n = 0; n < 20; n++) await turn()
  assert.deepEqual(answered.toSorted(), ['GET /check', 'GET /read', 'POST /check', 'POST /exchange'])
  sync.resolve()
  assert.deepEqual(
    (await Promise.all(writes)).map(({ payload }) => payload),
    ['done', 'signed in', 'a token'],
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
