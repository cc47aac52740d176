/** An account far beyond its bounds may exist from an older version. */
import { testEveryEndpoint } from '../support/http/event-loop-blocking.ts'

testEveryEndpoint({ keys: 40_000, makers: 40_000, events: 1_000_000, links: 1_000_000, answers: 100_000 })
