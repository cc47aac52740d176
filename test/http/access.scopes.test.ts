/** Every authenticated route requires its scope of restricted keys: a walk over the routes of the service itself. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { RouteOptions } from 'fastify'
import { buildApp } from '../../src/app.ts'
import { grantableScopes } from '../../src/domain/keys/restrictions/scopes.ts'
import type { Scope } from '../../src/domain/keys/restrictions/scopes.ts'
import { createKey, tokenOf } from '../support/accounts/keys.ts'
import { assertNothingHappens } from '../support/database/state.ts'
import { operations } from '../support/documented.ts'
import { assertError } from '../support/http/answers.ts'
import { startService } from '../support/service.ts'
import type { Answer, Service } from '../support/service.ts'

type Route = Readonly<{ call: string; scope: Scope | null }>

/** Routes whose handler decides, because the scope is the call's. Their tests are in test/api/check/. */
const DECIDED_BY_HANDLER = /^[A-Z-]+ \/auth\/check(\/\*)?$/

let service: Service
let routes: Route[]
const only = new Map<Scope, string>()
const allBut = new Map<Scope, string>()

before(async () => {
  service = await startService()
  const found: RouteOptions[] = []
  const app = await buildApp(service.deps, (inner) => void inner.addHook('onRoute', (route) => void found.push(route)))
  await app.close()
  routes = found
    .filter(({ config }) => config?.access === 'authenticated')
    .flatMap(({ method, url, config }) =>
      [method].flat().map((one) => ({ call: `${one} ${url.replace('/api/v1', '')}`, scope: config?.scope ?? null })),
    )
  const owner = await service.signIn('ana@example.com')
  for (const scope of grantableScopes) {
    const others = grantableScopes.filter((one) => one !== scope)
    only.set(scope, await tokenOf(service, await createKey(service, owner, { restrictions: { scopes: [scope] } })))
    allBut.set(scope, await tokenOf(service, await createKey(service, owner, { restrictions: { scopes: others } })))
  }
})
after(() => service.close())

const callOf = ({ call }: Route) => call.replaceAll(/:\w+/g, 'unknown')

test('the walk meets every documented operation with a token, and every scope', () => {
  const documented = operations.filter(({ content }) => content.security.length > 0).map(({ route }) => route)
  const walked = new Set(routes.map(({ call }) => call.replaceAll(/:(\w+)/g, '{$1}')))
  assert.deepEqual(
    documented.filter((route) => !walked.has(route)),
    [],
  )
  assert.deepEqual(new Set(routes.flatMap(({ scope }) => scope ?? [])), new Set(grantableScopes))
  const undecided = routes.filter(({ scope }) => scope === null).filter(({ call }) => !DECIDED_BY_HANDLER.test(call))
  assert.deepEqual(undecided, [])
})

test('without its scope a route is 403 with the challenge of RFC 6750, whatever other scopes a key has, and does nothing', async () => {
  await assertNothingHappens(service, async () => {
    for (const route of routes) {
      const { scope } = route
      if (scope === null) continue
      const others = grantableScopes.filter((one) => one !== scope).map((one) => only.get(one))
      for (const token of [...others, allBut.get(scope)]) {
        const answer: Answer = await service.call(callOf(route), { token: token ?? '' })
        const said: string = `${route.call} ${scope}`
        assert.equal(answer.status, 403, said)
        const challenge: string = `Bearer realm="paylink-auth", error="insufficient_scope", scope="${scope}"`
        assert.equal(answer.headers.get('www-authenticate'), challenge, said)
        if (!route.call.startsWith('HEAD')) assertError(answer, 'INSUFFICIENT_SCOPE', new RegExp(`\`${scope}\``))
      }
    }
  })
})

test('with its scope alone no route refuses, and openapi.json names the scope', async () => {
  for (const route of routes) {
    const { call, scope } = route
    if (scope === null) continue
    const answer = await service.call(callOf(route), { token: only.get(scope) ?? '' })
    assert.doesNotMatch(answer.headers.get('www-authenticate') ?? '', /insufficient_scope/, call)
    assert.notEqual(answer.status, 401, call)
    const documented = operations.find((one) => one.route === call.replaceAll(/:(\w+)/g, '{$1}'))
    if (documented !== undefined) assert.match(documented.content.description, new RegExp(`the scope \`${scope}\``))
  }
})

test('an unrestricted key and a person are refused nowhere', async () => {
  const owner = await service.signIn('bob@example.com')
  const restrictions = { networks: ['127.0.0.0/8', '::1/128'], maxAmount: { EUR: 1 } }
  const keys = [await createKey(service, owner), await createKey(service, owner, { restrictions })]
  const tokens = [owner, ...(await Promise.all(keys.map((key) => tokenOf(service, key))))]
  for (const route of routes.filter(({ call }) => /^(GET|HEAD) /.test(call)))
    for (const token of tokens) {
      const { headers } = await service.call(callOf(route), { token })
      assert.doesNotMatch(headers.get('www-authenticate') ?? '', /insufficient_scope/, route.call)
    }
})
