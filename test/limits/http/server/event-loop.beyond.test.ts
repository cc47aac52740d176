/** No endpoint holds the event loop for an account ten times beyond its bounds, as one may be from before there were any. */
import { testEveryEndpoint } from '../../../support/http/endpoint-stretches.ts'

testEveryEndpoint({ keys: 10_000, makers: 30_000, events: 1_000_000, links: 1_000_000, answers: 100_000 })
