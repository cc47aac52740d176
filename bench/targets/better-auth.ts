/**
 * Better Auth, set up as documented, on node:sqlite (WAL, `synchronous = FULL`), without rate limits and log. The
 * protected call is `getSession` with the bearer plugin, the exchange is `verifyApiKey`, magic links use its own handler.
 * It has no counterpart of a program's signup.
 */
import { apiKey } from '@better-auth/api-key'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node'
import { bearer, magicLink } from 'better-auth/plugins'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { LINKS } from '../tables.ts'
import type { Call, Calls } from '../workloads.ts'

const PORT = Number(process.env['PORT'])
const ROTATION = 1000

const file = new DatabaseSync((process.env['DATABASE_URL'] ?? '').replace('sqlite:', ''), { timeout: 5000 })
file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')

const options = {
  database: file,
  baseURL: `http://127.0.0.1:${PORT}`,
  secret: process.env['JWT_SECRET'] ?? '',
  rateLimit: { enabled: false },
  logger: { disabled: true },
  telemetry: { enabled: false },
  plugins: [
    bearer(),
    apiKey({ rateLimit: { enabled: false } }),
    // A day: the links are created before the run.
    magicLink({ sendMagicLink: async () => {}, expiresIn: 24 * 3600 }),
  ],
}
const auth = betterAuth(options)
const { runMigrations } = await getMigrations(options)
await runMigrations()

const tokenOfLink = (number: string) => `${'l'.repeat(24)}${number}`
const protectedCall = (token: string, status = 200): Call => ({
  method: 'GET',
  path: '/me',
  headers: { authorization: `Bearer ${token}` },
  status,
})
const json = { 'content-type': 'application/json' }
const exchange = (key: string, status = 200): Call => ({
  method: 'POST',
  path: '/verify-key',
  headers: json,
  body: JSON.stringify({ key }),
  status,
})

async function writeCalls(path: string): Promise<void> {
  const context = await auth.$context
  const sessions: string[] = []
  let ownerOfLast = ''
  const keys: { id: string; key: string }[] = []
  for (let n = 0; n <= ROTATION; n++) {
    const email = `user-${n}-${PORT}@example.com`
    const user = await context.internalAdapter.createUser(
      { email, name: 'Ana', emailVerified: true },
      { method: 'magic-link' },
    )
    ownerOfLast = user.id
    sessions.push((await context.internalAdapter.createSession(user.id, false)).token)
    keys.push(await auth.api.createApiKey({ body: { userId: user.id } }))
  }
  await context.internalAdapter.deleteSession(sessions[ROTATION] ?? '')
  await auth.api.updateApiKey({ body: { keyId: keys[ROTATION]?.id ?? '', userId: ownerOfLast, enabled: false } })

  const addLink = file.prepare(
    'insert or ignore into verification (id, identifier, value, expiresAt, createdAt, updatedAt) values (?, ?, ?, ?, ?, ?)',
  )
  const [now, tomorrow] = [new Date(), new Date(Date.now() + 24 * 3600 * 1000)].map((date) => date.toISOString()) as [
    string,
    string,
  ]
  file.exec('BEGIN')
  for (let n = 0; n < LINKS; n++) {
    const number = String(n).padStart(8, '0')
    addLink.run(
      `link-${n}`,
      tokenOfLink(number),
      JSON.stringify({ email: `link-${number}@example.com` }),
      tomorrow,
      now,
      now,
    )
  }
  file.exec('COMMIT')

  const calls: Calls = {
    works: {
      'protected-one': [protectedCall(sessions[0] ?? '')],
      protected: sessions.slice(0, ROTATION).map((token) => protectedCall(token)),
      exchange: keys.slice(0, ROTATION).map(({ key }) => exchange(key)),
      'link-request': [
        {
          method: 'POST',
          path: '/api/auth/sign-in/magic-link',
          headers: json,
          body: '{"email":"new-{n}@example.com"}',
          status: 200,
        },
      ],
      'link-verify': [{ method: 'GET', path: `/api/auth/magic-link/verify?token=${tokenOfLink('{n}')}`, status: 200 }],
    },
    refused: {
      'an unknown token': protectedCall('n'.repeat(32), 401),
      'a revoked token': protectedCall(sessions[ROTATION] ?? '', 401),
      'a wrong key': exchange(`${keys[0]?.key.slice(0, -4)}0000`, 401),
      'a revoked key': exchange(keys[ROTATION]?.key ?? '', 401),
      // Its handler redirects to an error page.
      'an unknown link': {
        method: 'GET',
        path: `/api/auth/magic-link/verify?token=${'n'.repeat(32)}`,
        status: 302,
      },
    },
  }
  writeFileSync(path, JSON.stringify(calls))
}

async function me(request: IncomingMessage): Promise<unknown> {
  const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })
  return session && { user: session.user }
}

async function verifyKey(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { key } = JSON.parse(Buffer.concat(chunks).toString()) as { key: string }
  const { valid, key: found } = await auth.api.verifyApiKey({ body: { key } })
  return valid ? { user: { id: found?.referenceId } } : null
}

function send(response: ServerResponse, answer: unknown): void {
  response.writeHead(answer === null ? 401 : 200, { 'content-type': 'application/json' })
  response.end(answer === null ? '' : JSON.stringify(answer))
}

// The file exists when only the start is measured.
const path = process.env['CALLS'] ?? ''
if (!existsSync(path)) await writeCalls(path)

const handle = toNodeHandler(auth)
createServer((request, response) => {
  const work = request.url === '/me' ? me : request.url === '/verify-key' ? verifyKey : undefined
  if (work === undefined) void handle(request, response)
  else void work(request).then((answer) => send(response, answer))
}).listen(PORT, '127.0.0.1')
