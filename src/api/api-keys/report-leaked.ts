/** `POST /auth/api-keys/leaked`: revokes the keys of published secrets; the response never reveals which were valid. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { recordEvent } from '../../domain/events/security-events.ts'
import { isKeySecret } from '../../domain/keys/key-secret.ts'
import { findKeysBySecret, setRevoked } from '../../domain/keys/key-store.ts'
import type { Transaction } from '../../database/database.ts'
import { lockUser } from '../../domain/users/user-store.ts'
import type { Deps } from '../../http/deps.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { perNetwork } from '../../http/rate-limit/rate-limits.ts'
import { sha256 } from '../../lib/hash.ts'
import { queueNotice } from '../../domain/mails/notices.ts'

const Leak = Type.Object(
  {
    keySecret: Type.String({ description: 'The secret as found, `pls_…`.' }),
    seenAt: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        format: 'display-text',
        description: 'Where the secret was found, for its owner: a URL, a file, a commit.',
      }),
    ),
  },
  { additionalProperties: false, title: 'LeakedSecret' },
)

const Body = Type.Object(
  { secrets: Type.Array(Leak, { minItems: 1, maxItems: 100 }) },
  {
    additionalProperties: false,
    examples: [{ secrets: [{ keySecret: 'pls_…53 characters', seenAt: 'https://example.com/paste/1' }] }],
  },
)

const Answer = Type.Object(
  { ok: Type.Boolean() },
  {
    description: 'The report is accepted. The response is the same for valid and invalid secrets.',
    examples: [{ ok: true }],
  },
)

export const reportLeaked: Endpoint = (app, deps) => {
  const { rateLimits, mailer } = deps

  app.post('/auth/api-keys/leaked', {
    config: { access: 'public', errors: ['RATE_LIMITED'] },
    schema: {
      operationId: 'reportLeaked',
      summary: 'Report leaked API key secrets',
      description:
        'Open to everyone, for example secret scanners. The key of a valid secret is revoked at once, and its owner is notified by mail if the address is proven. There is no mail about a key that awaits its owner.',
      tags: ['API keys'],
      'x-beyond-specification': true,
      body: Body,
      response: { 200: Answer },
    },
    async handler(request, reply) {
      await rateLimits.count(reply, ...perNetwork('leak-reports', request.ip))
      const seenAtByHash = new Map<string, string | undefined>()
      for (const { keySecret, seenAt } of request.body.secrets) {
        // The checksum rejects other text without a read.
        if (!isKeySecret(keySecret)) continue
        const hash = sha256(keySecret)
        seenAtByHash.set(hash, seenAtByHash.get(hash) ?? seenAt)
      }
      if (seenAtByHash.size > 0) await revokeKeys(deps, request, seenAtByHash)
      mailer.wake()
      return { ok: true }
    },
  })
}

async function revokeKeys(
  deps: Deps,
  request: FastifyRequest,
  seenAtByHash: ReadonlyMap<string, string | undefined>,
): Promise<void> {
  const { db, clock } = deps
  const hashes = [...seenAtByHash.keys()]
  // Fails on a standby, which may not have the key yet: the report would be accepted without effect.
  await db.ping()
  const found = await findKeysBySecret(db, hashes, clock.now())
  for (const userId of new Set(found.map((key) => key.user_id))) {
    const revoke = async (trx: Transaction) => {
      const user = await lockUser(trx, 'id', userId)
      if (user === undefined) return
      const nowMs = clock.now()
      const leaked = await findKeysBySecret(trx, hashes, nowMs)
      const own = leaked.filter((key) => key.user_id === userId)
      await setRevoked(
        trx,
        own.map(({ id }) => id),
        nowMs,
      )
      for (const key of own) {
        const detail = seenAtByHash.get(key.secret_hash) ?? seenAtByHash.get(key.previous_secret_hash ?? '')
        await recordEvent(trx, deps, { userId, type: 'key_leaked', apiKeyId: key.id, detail }, request)
      }
      // A key that awaits its owner may be a stranger's, and a mail about it would contain text chosen by them.
      if (own.some((key) => key.awaits_owner_at_ms === null))
        await queueNotice(deps, trx, 'security_notice', user, nowMs)
    }
    await db.transaction(revoke, { isRevocation: true })
  }
}
