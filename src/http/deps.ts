/** What every endpoint is given. */
import type { DomainDeps } from '../domain/deps.ts'
import type { RateLimits } from './rate-limit/rate-limits.ts'

/** The infrastructure of one process. */
export type Deps = DomainDeps & Readonly<{ rateLimits: RateLimits }>
