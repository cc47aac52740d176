/** The part of store-calls.ts for the access of apps. */
import type { Tables } from '../../../src/database/tables/tables.ts'
import * as apps from '../../../src/domain/keys/key-app-store.ts'
import * as requests from '../../../src/domain/oauth/authorization-request-store.ts'
import { systemRandom } from '../../../src/lib/random.ts'
import type { StoreCalls } from './mail-store-calls.ts'

export const oauthStores = {
  'src/domain/keys/key-app-store.ts': apps,
  'src/domain/oauth/authorization-request-store.ts': requests,
}

/** As in store-calls.ts. */
const SOME = 10

export function oauthStoreCalls(request: Tables['authorization_requests'], nowMs: number): Record<string, StoreCalls> {
  const { id, user_id: userId } = request
  return {
    'src/domain/keys/key-app-store.ts': {
      findApp: (trx) => apps.findApp(trx, userId, id),
      findLiveApps: (trx) => apps.findLiveApps(trx, { id: userId, token_version: 0 }, nowMs),
    },
    'src/domain/oauth/authorization-request-store.ts': {
      insertRequest: (trx) =>
        requests.insertRequest(trx, { ...request, id: systemRandom.plainUuid(), code_hash: null }),
      findUndecided: (trx) => requests.findUndecided(trx, userId, id, nowMs),
      findByCode: (trx) => requests.findByCode(trx, request.code_hash ?? ''),
      updateRequest: (trx) => requests.updateRequest(trx, id, { decided_at_ms: nowMs }),
      deleteExpiredRequests: (trx) => requests.deleteExpiredRequests(trx, nowMs - 86_400_000, SOME),
    },
  }
}
