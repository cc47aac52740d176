/** Services protected by the client's middleware, one for each supported framework. */
import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import type { CheckOptions } from '../../../sdk/src/express.ts'
import { paylinkAuth as forExpress } from '../../../sdk/src/express.ts'
import { paylinkAuth as forFastify } from '../../../sdk/src/fastify.ts'
import { paylinkAuth as forHono } from '../../../sdk/src/hono.ts'

/** `/invoices` and `/invoices/1` return the caller; `/open` is public. */
export type ServiceBehind = Readonly<{
  framework: string
  /** Makes a request; a POST has a body. */
  ask(path: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<Response>
  /** The status of a GET from this address, one of the loopback's. */
  statusFrom(address: string, path: string, headers: Readonly<Record<string, string>>): Promise<number>
  reached(): number
  close(): Promise<void>
}>

export async function startProtectedServices(options: CheckOptions): Promise<ServiceBehind[]> {
  return Promise.all([behindExpress(options), behindFastify(options), behindHono(options)])
}

async function behindExpress(options: CheckOptions): Promise<ServiceBehind> {
  let reached = 0
  const app = express()
  app.get('/open', (request, response) => void response.json({ auth: request.auth ?? null }))
  app.use('/invoices', forExpress(options))
  app.all(['/invoices', '/invoices/1'], (request, response) => {
    reached++
    response.json(request.auth)
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    framework: 'Express',
    ask: asking(`http://127.0.0.1:${port}`),
    statusFrom: askingFrom(`http://127.0.0.1:${port}`),
    reached: () => reached,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function behindFastify(options: CheckOptions): Promise<ServiceBehind> {
  let reached = 0
  const app = fastify()
  app.get('/open', async () => ({ auth: null }))
  app.get('/open/by-mistake', async (request) => request.auth.userId)
  await app.register(async (scope) => {
    await scope.register(forFastify, options)
    for (const url of ['/invoices', '/invoices/1']) {
      scope.route({
        method: ['GET', 'POST'],
        url,
        handler: async (request) => {
          reached++
          return request.auth
        },
      })
    }
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    framework: 'Fastify',
    ask: asking(url),
    statusFrom: askingFrom(url),
    reached: () => reached,
    close: () => app.close(),
  }
}

async function behindHono(options: CheckOptions): Promise<ServiceBehind> {
  let reached = 0
  const app = new Hono<{ Bindings: { address?: string } }>()
  app.get('/open', (c) => c.json({ auth: null }))
  app.use(
    '/invoices/*',
    forHono({ ...options, clientAddress: (c) => (c.env as { address?: string } | undefined)?.address }),
  )
  for (const path of ['/invoices', '/invoices/1']) {
    app.all(path, (c) => {
      reached++
      return c.json(c.var.auth)
    })
  }
  return {
    framework: 'Hono',
    // Called the way the runtimes of the fetch-style handler call it.
    ask: async (path, headers = {}, method = 'GET') =>
      app.request(path, { method, headers, ...(method === 'POST' && { body: '{}' }) }),
    statusFrom: async (address, path, headers) => (await app.request(path, { headers }, { address })).status,
    reached: () => reached,
    close: async () => {},
  }
}

function asking(url: string): ServiceBehind['ask'] {
  return (path, headers = {}, method = 'GET') =>
    fetch(url + path, { method, headers, ...(method === 'POST' && { body: '{}' }) })
}

function askingFrom(url: string): ServiceBehind['statusFrom'] {
  return async (localAddress, path, headers) => {
    const [response] = (await once(get(url + path, { localAddress, headers }), 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode ?? 0
  }
}
