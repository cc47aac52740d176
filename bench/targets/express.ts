/**
 * A typical hand-written service: Express, its JSON parser, jsonwebtoken, prepared statements, one transaction per write.
 * Key secrets are stored as SHA-256, or with `SECRETS=bcrypt` as bcrypt hashes of cost 10.
 */
import { compare, hash } from 'bcrypt'
import express from 'express'
import type { NextFunction, Request, Response } from 'express'
import jwt from 'jsonwebtoken'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { file, readExchangeKey, readTokenUser } from './rows.ts'

const SECRET = process.env['JWT_SECRET'] ?? ''
const usesBcrypt = process.env['SECRETS'] === 'bcrypt'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hashOf = async (secret: string) => (usesBcrypt ? hash(secret, 10) : sha256(secret))
const isSecret = async (secret: string, stored: string) =>
  usesBcrypt ? compare(secret, stored) : sha256(secret) === stored

const sign = (sub: string, tokenVersion: number, from: object) =>
  jwt.sign({ sub, role: 'USER', tokenVersion, ...from }, SECRET, { algorithm: 'HS256', expiresIn: '1h' })

const unauthorized = (response: Response, code = 'UNAUTHORIZED') =>
  response.status(401).json({ error: { message: 'Unauthorized', code } })

async function guard(request: Request, response: Response, next: NextFunction): Promise<void> {
  const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ')
  if (scheme !== 'Bearer') return void unauthorized(response)
  try {
    const claims = jwt.verify(token, SECRET, { algorithms: ['HS256'] }) as jwt.JwtPayload
    const user = await readTokenUser(claims['apiKeyId'] ?? '', claims.sub ?? '')
    if (user?.token_version !== claims['tokenVersion'] || user?.key_revoked_at_ms) return void unauthorized(response)
    response.locals['user'] = user
    next()
  } catch {
    unauthorized(response)
  }
}

const queueMail = file?.prepare(`insert into queued_mails values (?, ?, ?, ?)
  on conflict (kind, email) do update set id = excluded.id, created_at_ms = excluded.created_at_ms`)
const findLink = file?.prepare('select email from magic_links where token_hash = ? and expires_at_ms > ?')
const deleteLink = file?.prepare('delete from magic_links where token_hash = ?')
const findUser = file?.prepare('select id, token_version from users where email = ?')
const addUser = file?.prepare('insert into users values (?, ?, ?, ?, 0, ?, ?)')
const addKey = file?.prepare('insert into api_keys values (?, ?, ?, ?, ?, ?, null)')

function inTransaction<T>(work: () => T): T {
  file?.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    file?.exec('COMMIT')
    return result
  } catch (error) {
    file?.exec('ROLLBACK')
    throw error
  }
}

const app = express()
app.use(express.json())

app.get('/api/v1/users/me', guard, (_request, response) => {
  const { id, email, role, name, claimed_at_ms: claimedAtMs, created_at_ms: createdAtMs } = response.locals['user']
  const needsOnboarding = name === null || claimedAtMs === null
  response.json({ user: { id, email, role, name, needsOnboarding, createdAt: new Date(createdAtMs).toISOString() } })
})

app.post('/api/v1/auth/api/token', async (request, response) => {
  const { keyId, keySecret } = request.body as { keyId: string; keySecret: string }
  const key = await readExchangeKey(keyId)
  if (!key || key.revoked_at_ms || !(await isSecret(keySecret, key.secret_hash))) {
    unauthorized(response, 'INVALID_CREDENTIALS')
    return
  }
  const token = sign(key.user_id, key.token_version, { apiKeyId: key.id })
  response.json({
    token,
    tokenType: 'Bearer',
    expiresInSeconds: 3600,
    user: { id: key.user_id, email: key.email, role: key.role },
  })
})

app.post('/api/v1/auth/request', (request, response) => {
  queueMail?.run(randomUUID(), 'sign_in', (request.body as { email: string }).email, Date.now())
  response.json({ ok: true })
})

app.get('/api/v1/auth/verify', (request, response) => {
  const tokenHash = sha256(request.query['token'] as string)
  const user = inTransaction(() => {
    const nowMs = Date.now()
    const link = findLink?.get(tokenHash, nowMs) as { email: string } | undefined
    if (!link) return undefined
    deleteLink?.run(tokenHash)
    const found = findUser?.get(link.email) as { id: string; token_version: number } | undefined
    if (found) return found
    const id = randomUUID()
    addUser?.run(id, link.email, 'USER', null, nowMs, nowMs)
    return { id, token_version: 0 }
  })
  if (!user) {
    unauthorized(response, 'LINK_INVALID')
    return
  }
  response.json({ token: sign(user.id, user.token_version, {}), needsOnboarding: true })
})

app.post('/api/v1/auth/api/signup', async (request, response) => {
  const { email } = request.body as { email: string }
  const [id, apiKeyId] = [randomUUID(), randomUUID()]
  const [keyId, keySecret] = [`plk_${randomBytes(11).toString('hex')}`, `pls_${randomBytes(32).toString('hex')}`]
  const secretHash = await hashOf(keySecret)
  const isNew = inTransaction(() => {
    if (findUser?.get(email)) return false
    addUser?.run(id, email, 'USER', null, null, Date.now())
    addKey?.run(apiKeyId, id, 'API key', keyId, secretHash, Date.now())
    queueMail?.run(randomUUID(), 'signup_notice', email, Date.now())
    return true
  })
  if (!isNew) {
    response.status(409).json({ error: { message: 'Taken', code: 'EMAIL_TAKEN' } })
    return
  }
  response.status(201).json({
    user: { id, email },
    apiKey: { id: apiKeyId, name: 'API key', keyId },
    keySecret,
    token: sign(id, 0, { apiKeyId }),
    tokenType: 'Bearer',
    expiresInSeconds: 3600,
    needsOnboarding: true,
  })
})

app.listen(Number(process.env['PORT']), '127.0.0.1')
