/** A model test of payment links while accounts are claimed and keys are kept or revoked. */
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { startGoogleService } from '../support/google/google.ts'
import type { GoogleService } from '../support/google/google.ts'
import { accountSteps, passTime } from './account-steps.ts'
import { CASES, RUN } from './fuzz-settings.ts'
import { keySteps } from './key-steps.ts'
import { paymentLinkSteps } from './payment-link-steps.ts'
import { newWorld } from './world.ts'
import type { World } from './world.ts'

let service: GoogleService
before(async () => {
  service = await startGoogleService()
})
after(() => service.close())

const { signUp, signIn, pressNotMe, signOutEverywhere, leave } = accountSteps
const { create, exchange, keep, revoke } = keySteps
const steps = {
  signUp,
  signIn,
  pressNotMe,
  signOutEverywhere,
  leave,
  create,
  exchange,
  keep,
  revoke,
  ...paymentLinkSteps,
  /** The owner signs in and keeps a key, which is rare by chance. */
  async comeAndKeep(world: World, a: number, b: number, c: number) {
    await signIn(world, a, b, c)
    await keep(world, world.tokens.length - 1, b, c)
  },
  passTime: (world: World, a: number) => passTime(world, [1, 59_999, 60_000, 3_599_000, 86_400_000][a % 5] ?? 0),
}
const names = Object.keys(steps) as (keyof typeof steps)[]
const links = Object.keys(paymentLinkSteps) as (keyof typeof paymentLinkSteps)[]
// Steps that enable others, and those on payment links, come more often.
const often = ['signUp', 'signIn', 'exchange', 'comeAndKeep', 'createLink', 'createLink', ...links] as const

const number = fc.nat(1000)
const life = fc.array(fc.tuple(fc.constantFrom(...names, ...often), number, number, number), {
  minLength: 10,
  maxLength: 60,
  size: 'max',
})

test('every answer in a random life with payment links matches the model and openapi.json', async () => {
  const run = fc.asyncProperty(life, async (chosen) => {
    const world = newWorld(service, service.call)
    for (const [name, ...numbers] of chosen) await steps[name](world, ...numbers)
  })
  await fc.assert(run, { numRuns: Math.ceil(CASES / 35), ...RUN })
})
