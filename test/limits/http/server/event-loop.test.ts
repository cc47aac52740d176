/** No endpoint blocks the event loop for an account at its bounds (docs/decisions/0032). */
import '../../../support/postgres/on-postgres.ts'
import { testEveryEndpoint } from '../../../support/http/event-loop-blocking.ts'

testEveryEndpoint({ keys: 1000, makers: 3000, events: 100_000, links: 100_000, answers: 10_000 })
