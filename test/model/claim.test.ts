/** For every interleaving of a thief and the owner of an address, after the claim only what the owner kept works. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { oneTap, startGoogleService } from '../support/google/google.ts'
import type { GoogleService } from '../support/google/google.ts'
import { connect, disconnect, subjectsOf } from '../support/google/identities.ts'
import { mailedToken, verify } from '../support/mail/links.ts'
import { read } from '../support/accounts/tokens.ts'
import { CASES, RUN } from './fuzz-settings.ts'

let service: GoogleService
/** Holds every call between guard and handler until the scheduler releases it. */
let gate = async (): Promise<void> => {}
before(async () => {
  service = await startGoogleService({}, undefined, (app) => void app.addHook('preHandler', () => gate()))
})
after(() => service.close())

type HeldKey = Readonly<{ id: string; keyId: string; secret: string; makerId: string | null }>

/** The credentials of two people who use one address, and their actions; any two calls may overlap. */
function newStory(person: string) {
  const { call } = service
  const email = `${person}@corp.example`
  const google = {
    // `hd` of a Workspace makes Google authoritative for the owner's address, for the owner only.
    owner: { sub: `owner ${person}`, email, hd: 'corp.example' },
    squatter: { sub: `squatter ${person}`, email },
    thief: { sub: `thief ${person}`, email: `thief-${person}@gmail.com` },
  }
  const thief = { keys: [] as HeldKey[], tokens: [] as string[] }
  const owner = { tokens: [] as string[], kept: new Set<string>() }
  const last = <T>(list: readonly T[]) => list.at(-1)

  function hold(body: any, makerId: string | null): void {
    const { id, keyId } = body.apiKey
    thief.keys.push({ id, keyId, secret: body.keySecret, makerId })
  }
  const keyIdOf = (token: string) => (read(token).claims['apiKeyId'] as string | undefined) ?? null

  /** The thief signs in with a Google account, possibly to an account of their own. */
  async function signInWith(claims: Record<string, unknown>): Promise<void> {
    const { body } = await oneTap(service, claims)
    if (body.user?.email === email) thief.tokens.push(body.token)
  }

  const thiefSteps = {
    async signUp() {
      const answer = await call('POST /auth/api/signup', { body: { email, name: 'Thief', keyName: 'thief' } })
      assert.ok([201, 409].includes(answer.status), answer.text)
      if (answer.status !== 201) return
      hold(answer.body, null)
      thief.tokens.push(answer.body.token)
    },
    async exchange() {
      for (const { keyId, secret } of thief.keys) {
        const answer = await call('POST /auth/api/token', { body: { keyId, keySecret: secret } })
        if (answer.status === 200) thief.tokens.push(answer.body.token)
      }
    },
    async createKey() {
      const token = last(thief.tokens)
      if (token === undefined) return
      const answer = await call('POST /auth/api-keys', { token, body: { name: 'trojan' } })
      if (answer.status === 201) hold(answer.body, keyIdOf(token))
    },
    async list() {
      const token = last(thief.tokens)
      if (token !== undefined) await call('GET /auth/api-keys', { token })
    },
    async revoke() {
      const [token, key] = [last(thief.tokens), thief.keys[0]]
      if (token && key) await call(`POST /auth/api-keys/${key.id}/revoke`, { token })
    },
    async keep() {
      const [token, key] = [last(thief.tokens), last(thief.keys)]
      if (!token || !key) return
      const answer = await call(`POST /auth/api-keys/${key.id}/keep`, { token })
      // With a sign-in, keeping a working key succeeds and changes nothing; that waiting keys stay dead is checked at
      // the end.
      if (keyIdOf(token) !== null) assert.notEqual(answer.status, 200, 'a thief keeps nothing')
    },
    squat: () => signInWith(google.squatter),
    comeByOwn: () => signInWith(google.thief),
    async connectOwn() {
      const token = last(thief.tokens)
      if (token === undefined) return
      await disconnect(service, token)
      await connect(service, token, google.thief)
    },
  }

  const ownerSteps = {
    async signIn() {
      const answer = await verify(service, await mailedToken(service, email))
      // Of two links requested at once, using one voids the other.
      if (answer.status === 200) owner.tokens.push(answer.body.token)
      else assert.equal(answer.body.error.code, 'LINK_INVALID')
    },
    async signInWithGoogle() {
      const answer = await oneTap(service, google.owner)
      assert.equal(answer.status, 200, `the owner can always sign in: ${answer.text}`)
      owner.tokens.push(answer.body.token)
    },
    async keepOne() {
      const token = last(owner.tokens)
      if (token === undefined) return
      const { body } = await call('GET /auth/api-keys', { token })
      const waiting = body.apiKeys?.find(({ status }: any) => status === 'AWAITS_OWNER')
      if (waiting === undefined) return
      // Noted before the answer: the key may work as soon as the call is sent.
      owner.kept.add(waiting.id)
      await call(`POST /auth/api-keys/${waiting.id}/keep`, { token })
    },
    async revokeOne() {
      const token = last(owner.tokens)
      if (token === undefined) return
      const { body } = await call('GET /auth/api-keys', { token })
      const key = body.apiKeys?.[0]
      if (key) await call(`POST /auth/api-keys/${key.id}/revoke`, { token })
    },
  }

  /** Whether the owner kept the key, or any key in the chain that made it. */
  function comesFromKept(id: string): boolean {
    const key = thief.keys.find((each) => each.id === id)
    if (owner.kept.has(id)) return true
    return key?.makerId !== null && key !== undefined && comesFromKept(key.makerId)
  }

  async function assertOwned(): Promise<void> {
    // By now the address is proven, whatever the owner did before.
    await ownerSteps.signIn()
    const thieves = new Set([google.squatter.sub, google.thief.sub])
    for (const subject of await subjectsOf(service, email)) assert.ok(!thieves.has(subject), subject)
    for (const name of ['squat', 'comeByOwn'] as const) await thiefSteps[name]()
    await ownerSteps.signInWithGoogle()
    const token = owner.tokens.at(-1) ?? ''
    assert.equal((await call('GET /users/me', { token })).status, 200, 'the owner can always sign in')
    for (const held of thief.tokens) {
      const { status } = await call('GET /users/me', { token: held })
      if (status !== 401) assert.ok(comesFromKept(keyIdOf(held) ?? ''), 'a token of the thief opens the account')
    }
    for (const { id, keyId, secret } of thief.keys) {
      const { status } = await call('POST /auth/api/token', { body: { keyId, keySecret: secret } })
      if (status === 200) assert.ok(comesFromKept(id), 'a key of the thief works')
    }
  }

  return { thiefSteps, ownerSteps, assertOwned }
}

type Story = ReturnType<typeof newStory>
const thiefStep = fc.constantFrom<keyof Story['thiefSteps']>(
  'exchange',
  'createKey',
  'createKey',
  'createKey',
  'list',
  'revoke',
  'keep',
  'signUp',
  'squat',
  'squat',
  'comeByOwn',
  'connectOwn',
  'connectOwn',
)
const firstStep = fc.constantFrom<keyof Story['thiefSteps']>('signUp', 'squat')
const ownerStep = fc.constantFrom<keyof Story['ownerSteps']>(
  'signIn',
  'signIn',
  'signInWithGoogle',
  'keepOne',
  'revokeOne',
)

let stories = 0

/** Runs each person's steps in order; the scheduler chooses whose call continues next. */
async function runConcurrently(scheduler: fc.Scheduler, people: readonly (() => Promise<void>)[][]): Promise<void> {
  const active = new Set(people)
  const lives = people.map(async (steps) => {
    try {
      for (const step of steps) await step()
    } finally {
      active.delete(steps)
    }
  })
  const allDone = Promise.all(lives)
  // A failure is thrown below, when all are done.
  allDone.catch(() => {})
  for (const deadline = performance.now() + 60_000; active.size > 0;) {
    if (performance.now() > deadline) throw new Error('a call never ends')
    // Gives every active person time to reach the gate, except one who waits for a mail.
    for (let turns = 0; turns < 5 && scheduler.count() < active.size; turns++) {
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    if (scheduler.count() > 0) await scheduler.waitOne()
  }
  await allDone
}

test('in every order of calls the owner can sign in, and what the thief made stays dead unless it was kept', async () => {
  const property = fc.asyncProperty(
    fc.scheduler(),
    firstStep,
    fc.array(thiefStep, { minLength: 2, maxLength: 10 }),
    fc.array(ownerStep, { minLength: 1, maxLength: 5 }),
    async (scheduler, first, thiefNames, ownerNames) => {
      const story = newStory(`owner-${++stories}`)
      gate = () => scheduler.schedule(Promise.resolve())
      await runConcurrently(scheduler, [
        [first, ...thiefNames].map((name) => story.thiefSteps[name]),
        ownerNames.map((name) => story.ownerSteps[name]),
        // The thief's second client, so that two of their calls can overlap too.
        thiefNames.toReversed().map((name) => story.thiefSteps[name]),
      ])
      gate = async () => {}
      await story.assertOwned()
    },
  )
  await fc.assert(property, { numRuns: Math.ceil(CASES / 25), ...RUN })
})
