import { paths } from '../../page-paths.ts'
import type { User } from '../../user.ts'
import type { ApiKey } from '../api-access/keys.ts'
import type { ListOfLinks } from '../payment-links/links.ts'
import type { Connection } from '../profile/google-connection.tsx'

export type StepName = 'name' | 'key' | 'call' | 'link' | 'google'

export type Step = Readonly<{
  name: StepName
  isDone: boolean
  /** The page where it is done. */
  page: string
}>

/** @param connection undefined if Google is not configured; null if no account is connected */
export function findSteps(
  { name }: Pick<User, 'name'>,
  keys: readonly Pick<ApiKey, 'lastUsedAt'>[],
  { paymentLinks }: Pick<ListOfLinks, 'paymentLinks'>,
  connection: Connection | null | undefined,
): readonly Step[] {
  return [
    { name: 'name', isDone: name !== null, page: paths.profile },
    { name: 'key', isDone: keys.length > 0, page: paths.quickStart },
    { name: 'call', isDone: keys.some(({ lastUsedAt }) => lastUsedAt !== null), page: paths.quickStart },
    { name: 'link', isDone: paymentLinks.length > 0, page: `${paths.paymentLinks}#new` },
    ...(connection === undefined
      ? []
      : [{ name: 'google', isDone: connection !== null, page: paths.connectGoogle } as const]),
  ]
}
