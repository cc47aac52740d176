import type { DomainDeps } from '../domain/deps.ts'
import type { RateLimits } from './rate-limit/rate-limits.ts'

/** The dependencies of every endpoint. */
export type Deps = DomainDeps & Readonly<{ rateLimits: RateLimits }>
