import { storeRestrictions } from '../../../src/domain/keys/restrictions/restrictions.ts'
import type { Scope } from '../../../src/domain/keys/restrictions/scopes.ts'
import { updateKey } from '../../../src/domain/keys/key-store.ts'
import type { Service } from '../service.ts'
import { createKey } from './keys.ts'
import type { NewKey } from './keys.ts'

/** A key of a claimed account with scopes that only the operator's command line gives. */
export async function introspectingKey(
  service: Service,
  email: string,
  scopes: Scope[] = ['tokens:introspect'],
): Promise<NewKey> {
  const key = await createKey(service, await service.signIn(email))
  const restrictions = storeRestrictions({ scopes })
  await service.db.transaction((trx) =>
    updateKey(trx, key.apiKey.id, { restrictions, effective_restrictions: restrictions }),
  )
  return key
}
