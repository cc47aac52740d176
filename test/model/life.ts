/** A random life of users and keys, run against the service and the model side by side. */
import * as fc from 'fast-check'
import type { GoogleService } from '../support/google/google.ts'
import { accountSteps, passTime } from './account-steps.ts'
import { googleSteps } from './google-steps.ts'
import { keySteps } from './key-steps.ts'
import { sessionSteps } from './session-steps.ts'
import { newWorld } from './world.ts'
import type { CallWorld, World } from './world.ts'

const steps = {
  ...accountSteps,
  ...keySteps,
  ...googleSteps,
  ...sessionSteps,
  async passTime(world: World, a: number) {
    const spans = [1, 59_000, 599_000, 600_000, 3_599_000, 3_600_000, 86_400_000, 604_799_000]
    await passTime(world, spans[a % spans.length] ?? 0)
  },
}

type Chosen = readonly [keyof typeof steps, number, number, number]

const number = fc.nat(1000)
const names = Object.keys(steps) as (keyof typeof steps)[]
// Steps that enable others come more often.
const often = ['signUp', 'signIn', 'create', 'exchange', 'signInWithGoogle'] as const

/** A life: steps by name, each with the numbers that choose its subjects. */
export const lifeArbitrary: fc.Arbitrary<readonly Chosen[]> = fc.array(
  fc.tuple(fc.constantFrom(...names, ...often, ...often), number, number, number),
  { minLength: 10, maxLength: 60, size: 'max' },
)

/** Runs a life; rejects at the first answer that contradicts the model or openapi.json. */
export async function live(service: GoogleService, call: CallWorld, life: readonly Chosen[]): Promise<void> {
  const world = newWorld(service, call)
  for (const [name, ...numbers] of life) await steps[name](world, ...numbers)
}
