/**
 * The baseline of all ratios: a bare `node:http` server that does only the necessary work. A protected call is one HMAC
 * check and one indexed read of user and key. An exchange is one SHA-256, one indexed read and one HMAC signature. A link
 * request, a link verification and a signup are one durable transaction each.
 */
import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerOf } from './answers.ts'
import type { RecordedAnswer } from './answers.ts'
import { file, readExchangeKey, readTokenUser } from './rows.ts'

const SECRET = process.env['JWT_SECRET'] ?? ''
const HEADER = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid: 'thisone0' })).toString('base64url')

type Claims = Readonly<{ sub: string; exp: number; role: string; tokenVersion: number; apiKeyId: string }>

const hmac = (signed: string) => createHmac('sha256', SECRET).update(signed).digest()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const nowSeconds = () => Math.floor(Date.now() / 1000)

function sign(userId: string, tokenVersion: number, apiKeyId?: string): string {
  const iat = nowSeconds()
  const from = apiKeyId === undefined ? { amr: ['magic_link'] } : { amr: ['api_key'], apiKeyId }
  const claims = {
    iss: 'https://pay.example.com',
    sub: userId,
    aud: 'https://pay.example.com/api/v1',
    iat,
    exp: iat + 3600,
    jti: randomUUID(),
    ...from,
    role: 'USER',
    tokenVersion,
  }
  const signed = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${signed}.${hmac(signed).toString('base64url')}`
}

function verify(token: string): Claims | undefined {
  const dot = token.lastIndexOf('.')
  const mac = Buffer.from(token.slice(dot + 1), 'base64url')
  const expected = hmac(token.slice(0, Math.max(dot, 0)))
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return undefined
  const claims = JSON.parse(Buffer.from(token.slice(token.indexOf('.') + 1, dot), 'base64url').toString()) as Claims
  return claims.exp > Date.now() / 1000 ? claims : undefined
}

async function me(request: IncomingMessage): Promise<string | undefined> {
  const claims = verify(request.headers.authorization?.slice('Bearer '.length) ?? '')
  if (claims === undefined) return undefined
  const user = await readTokenUser(claims.apiKeyId, claims.sub)
  if (user?.token_version !== claims.tokenVersion || user.key_revoked_at_ms !== null) return undefined
  const { id, email, role, name, created_at_ms: createdAtMs } = user
  const needsOnboarding = name === null || user.claimed_at_ms === null
  return JSON.stringify({
    user: { id, email, role, name, needsOnboarding, createdAt: new Date(createdAtMs).toISOString() },
  })
}

async function exchange(body: string): Promise<string | undefined> {
  const { keyId, keySecret } = JSON.parse(body) as { keyId: string; keySecret: string }
  const hash = sha256(keySecret)
  const key = await readExchangeKey(keyId)
  if (
    key === undefined ||
    key.revoked_at_ms !== null ||
    !timingSafeEqual(Buffer.from(hash), Buffer.from(key.secret_hash))
  ) {
    return undefined
  }
  const token = sign(key.user_id, key.token_version, key.id)
  const user = { id: key.user_id, email: key.email, role: key.role }
  return JSON.stringify({ token, tokenType: 'Bearer', expiresInSeconds: 3600, user })
}

const queueMail = file?.prepare(`insert into queued_mails values (?, ?, ?, ?)
  on conflict (kind, email) do update set id = excluded.id, created_at_ms = excluded.created_at_ms`)
const useLink = file?.prepare('delete from magic_links where token_hash = ? and expires_at_ms > ? returning email')
const findUser = file?.prepare('select id, token_version from users where email = ?')
const addUser = file?.prepare(
  'insert into users values (?, ?, ?, ?, 0, ?, ?) on conflict (email) do nothing returning id',
)
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

function requestLink(body: string): string {
  const { email } = JSON.parse(body) as { email: string }
  queueMail?.run(randomUUID(), 'sign_in', email, Date.now())
  return '{"ok":true}'
}

function verifyLink(token: string): string | undefined {
  const tokenHash = sha256(token)
  const user = inTransaction(() => {
    const nowMs = Date.now()
    const link = useLink?.get(tokenHash, nowMs) as { email: string } | undefined
    if (link === undefined) return undefined
    const found = findUser?.get(link.email) as { id: string; token_version: number } | undefined
    if (found !== undefined) return found
    const id = randomUUID()
    addUser?.get(id, link.email, 'USER', null, nowMs, nowMs)
    return { id, token_version: 0 }
  })
  return user && JSON.stringify({ token: sign(user.id, user.token_version), needsOnboarding: true })
}

function signup(body: string): string | undefined {
  const { email } = JSON.parse(body) as { email: string }
  const [id, apiKeyId] = [randomUUID(), randomUUID()]
  const [keyId, keySecret] = [
    `plk_${randomBytes(11).toString('hex')}`,
    `pls_${randomBytes(32).toString('hex').slice(0, 49)}`,
  ]
  const isNew = inTransaction(() => {
    const nowMs = Date.now()
    if (addUser?.get(id, email, 'USER', null, null, nowMs) === undefined) return false
    addKey?.run(apiKeyId, id, 'API key', keyId, sha256(keySecret), nowMs)
    queueMail?.run(randomUUID(), 'signup_notice', email, nowMs)
    return true
  })
  if (!isNew) return undefined
  const apiKey = { id: apiKeyId, name: 'API key', keyId }
  const token = { token: sign(id, 0, apiKeyId), tokenType: 'Bearer', expiresInSeconds: 3600 }
  return JSON.stringify({ user: { id, email }, apiKey, keySecret, ...token, needsOnboarding: true })
}

// The recorded header fields, with a new Content-Length.
function send(response: ServerResponse, { status, headers }: RecordedAnswer, body: string | undefined): void {
  if (body === undefined) return void response.writeHead(401).end()
  response.writeHead(status, [...headers.slice(0, -1), String(Buffer.byteLength(body))])
  response.end(body)
}

function withBody(request: IncomingMessage, then: (body: string) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => void chunks.push(chunk))
  request.on('end', () => then(Buffer.concat(chunks).toString()))
}

const answers = {
  me: answerOf('users/me'),
  exchange: answerOf('auth/api/token'),
  request: answerOf('auth/request'),
  verify: answerOf('auth/verify'),
  signup: answerOf('auth/api/signup'),
}

createServer((request, response) => {
  const { url = '' } = request
  if (url === '/api/v1/users/me') void me(request).then((body) => send(response, answers.me, body))
  else if (url.startsWith('/api/v1/auth/verify?token=')) send(response, answers.verify, verifyLink(url.slice(26)))
  else if (url === '/api/v1/auth/api/token') {
    withBody(request, (body) => void exchange(body).then((answer) => send(response, answers.exchange, answer)))
  } else if (url === '/api/v1/auth/request')
    withBody(request, (body) => send(response, answers.request, requestLink(body)))
  else if (url === '/api/v1/auth/api/signup') withBody(request, (body) => send(response, answers.signup, signup(body)))
  else response.writeHead(404).end()
}).listen(Number(process.env['PORT']), '127.0.0.1')
