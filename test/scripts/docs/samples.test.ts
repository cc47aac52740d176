/**
 * The samples of the API reference are calls that the service would accept. `check-snippets.test.ts` compiles those in
 * TypeScript.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { bodyOf, callsOf, successOf, takesToken } from '../../../scripts/docs/document.ts'
import type { Call, Document } from '../../../scripts/docs/document.ts'
import { resolveReferences } from '../../../scripts/docs/resolve-references.ts'
import { clientCallOf, curlOf, literal, sampleOf } from '../../../scripts/docs/samples.ts'
import { exampleLink } from '../../../web/src/samples/sample.ts'
import { schemaProblems } from '../../support/documented.ts'
import { startService } from '../../support/service.ts'

const BASE = 'http://localhost:3000/api/v1'
const document = resolveReferences(
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8')) as Document,
)
const calls = callsOf(document)
const nameOf = ({ method, path }: Call): string => `${method} ${path}`
const curlFor = (call: Call): string => curlOf(call, sampleOf(call, calls), BASE)
const clientFor = (call: Call): string => clientCallOf(call, sampleOf(call, calls), BASE)

test('every sample for curl is one call of its operation that its schema accepts', () => {
  assert.ok(calls.length > 30)
  assert.deepEqual(
    calls.flatMap((call) => problemsOf(call, curlFor(call))),
    [],
  )
})

test('a sample for curl that calls something else, or sends what the schema refuses, is found', () => {
  const call = calls.find((one) => nameOf(one) === 'POST /payment-links') ?? assert.fail()
  for (const [from, to, problem] of [
    ['/payment-links', '/payment-link', /does not call/],
    ['curl ', 'curl -X PUT ', /does not call/],
    ['"amount": 245000', '"amount": 24.5', /amount/],
    ['"title"', '"titel"', /title/],
    ['X-Currency: EUR', 'X-Currency: USD', /x-currency/],
    ['Idempotency-Key', 'Idempotence-Key', /idempotence-key/],
    ['Bearer $TOKEN', '$TOKEN', /token/],
  ] as const) {
    const changed = curlFor(call).replace(from, to)
    assert.notEqual(changed, curlFor(call))
    assert.match(problemsOf(call, changed).join(), problem, to)
  }
})

test('a service refuses no sample as it is printed, except for the record, secret or setting that it lacks', async (t) => {
  const service = await startService()
  t.after(() => service.close())
  const problems: string[] = []
  const reader = await service.signUp('you@example.com')
  for (const [index, call] of calls.entries()) {
    const { method, url, headers, body } = sentBy(curlFor(call))
    const sent = new Headers([...headers])
    // Calls that change something have an account each, because some end its tokens.
    if (takesToken(call)) {
      const { token } = method === 'GET' ? reader : await service.signUp(`you.${index}@example.com`)
      sent.set('authorization', `Bearer ${token}`)
    }
    const { status } = await fetch(service.origin + url.pathname + url.search, {
      method,
      headers: sent,
      body: body ?? null,
      redirect: 'manual',
    })
    if (![successOf(call).status, '401', '403', '404', '501'].includes(`${status}`))
      problems.push(`${status} ${nameOf(call)}`)
  }
  assert.deepEqual(problems, [])
})

test('the payment link is that of the quick start, so that its Idempotency-Key can be used again', () => {
  const { headers, body } = sentBy(curlFor(calls.find((one) => nameOf(one) === 'POST /payment-links')!))
  const { amount, title, reference, currency, idempotencyKey } = exampleLink
  assert.deepEqual(JSON.parse(body ?? ''), { amount, title, reference })
  assert.deepEqual([headers.get('x-currency'), headers.get('idempotency-key')], [currency, idempotencyKey])
  const texts = ['docs/quick-start.md', 'docs/examples.md', 'scripts/docs/llms.md', 'sdk/README.md'].map((path) =>
    readFileSync(join(import.meta.dirname, '../../..', path), 'utf8'),
  )
  for (const text of texts)
    assert.ok(text.includes(`reference":"${reference}"`) || text.includes(`reference: '${reference}'`))
  const others = calls.filter(({ path }) => path !== '/payment-links').map(curlFor)
  assert.ok(!others.join().includes(`Idempotency-Key: ${idempotencyKey}`))
})

test('a sample has the credentials that its operation takes, and none where it takes none', () => {
  for (const call of calls) {
    const [curl, client] = [curlFor(call), clientFor(call)]
    assert.equal(curl.includes('$TOKEN'), takesToken(call), nameOf(call))
    const isPersonal = JSON.stringify(call.operation.responses['403'] ?? '').includes('SIGN_IN_REQUIRED')
    assert.equal(client.includes('PAYLINK_TOKEN'), isPersonal, nameOf(call))
    assert.equal(client.includes('PAYLINK_KEY_SECRET'), takesToken(call) && !isPersonal, nameOf(call))
  }
})

test('values are written as JavaScript', () => {
  const value = { "it's": "it's \\", list: [{ a: 1 }, null], flag: true }
  // The sample is the value again when it runs.
  assert.deepEqual(structuredClone(runInNewContext(`(${literal(value)})`)), value)
})

type Sent = Readonly<{ method: string; url: URL; headers: ReadonlyMap<string, string>; body: string | undefined }>

/** What the shell's `curl` got, by sample. One shell runs all samples of the document. */
const received = new Map<string, string>()

function runInShell(samples: readonly string[]): void {
  // A subshell each, so that no sample depends on another.
  const runs = samples.map((sample) => `(\n${sample}\n) || exit\nprintf '\\1'\n`)
  const script = `curl() { printf '%s\\0' "$@"; }\nTOKEN=token\n${runs.join('')}`
  const { stdout, stderr, status } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
  const outputs = stdout.split('\u0001').slice(0, -1)
  assert.equal(`${status} ${stderr}`, '0 ', samples[outputs.length] ?? '')
  assert.equal(outputs.length, samples.length)
  for (const [index, sample] of samples.entries()) received.set(sample, outputs[index] ?? '')
}

/** What the sample sends: it runs in a shell whose `curl` prints its arguments. */
function sentBy(sample: string): Sent {
  if (received.size === 0) runInShell(calls.map(curlFor))
  if (!received.has(sample)) runInShell([sample])
  const stdout = received.get(sample) ?? ''
  const args = stdout.split('\0').slice(0, -1)
  const after = (flag: string): string[] => args.filter((_arg, index) => args[index - 1] === flag)
  const [body] = after('-d')
  const fields = after('-H').map((field) => field.split(': ') as [string, string])
  return {
    method: after('-X')[0] ?? (body === undefined ? 'GET' : 'POST'),
    url: new URL(args.find((arg) => arg.startsWith('http')) ?? ''),
    headers: new Map(fields.map(([name, value]) => [name.toLowerCase(), value])),
    body,
  }
}

function problemsOf(call: Call, sample: string): string[] {
  const { method, url, headers: sent, body } = sentBy(sample)
  const { parameters = [], requestBody } = call.operation
  const { isForm, ...content } = bodyOf(call)
  const type = isForm && content.schema ? 'application/x-www-form-urlencoded' : 'application/json'

  const problems: string[] = []
  const pattern = call.path.split(/\{\w+\}/).map((part) => RegExp.escape(part))
  const isCalled = new RegExp(`^/api/v1${pattern.join('[^/]+')}$`).test(url.pathname)
  if (!isCalled || method !== call.method) problems.push(`does not call ${nameOf(call)}`)
  if ((sent.get('authorization') === 'Bearer token') !== takesToken(call)) problems.push('token')
  if ((sent.get('content-type') === type) !== (body !== undefined)) problems.push('content type')
  if (content.schema !== undefined && body !== undefined) {
    const value: unknown = isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body)
    problems.push(...schemaProblems(content.schema, value))
  }
  if ((content.schema === undefined) !== (body === undefined) && requestBody?.required !== false) problems.push('body')
  const given = new Map([...sent, ...url.searchParams])
  for (const name of ['authorization', 'content-type']) given.delete(name)
  for (const parameter of parameters) {
    const value = given.get(parameter.name)
    given.delete(parameter.name)
    if (parameter.in === 'path') continue
    if (value === undefined && parameter.required === true) problems.push(`${parameter.name} is missing`)
    if (value !== undefined)
      problems.push(...schemaProblems(parameter.schema, value).map((problem) => `${parameter.name}${problem}`))
  }
  problems.push(...[...given.keys()].map((name) => `${name} is no parameter`))
  return problems.map((problem) => `${nameOf(call)}: ${problem}`)
}
