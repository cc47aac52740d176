/** A command line in a process of its own, with a loopback redirect on a free port (RFC 8252, section 7.3). */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'
import { appsOf, decide, inspect, startApp } from '../support/accounts/apps.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

const PROGRAM = join(import.meta.dirname, '../support/accounts/command-line-app.ts')
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

/** Starts the program, and opens what it prints as a person's browser does; returns where the person is sent. */
async function open(t: TestContext, person: string, allow: boolean) {
  const { clientId } = await startApp(t)
  const program = spawn(process.execPath, [PROGRAM, service.origin, clientId], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => program.kill('SIGKILL'))
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]()
  const next = async () => String((await lines.next()).value)
  const page = await fetch(await next(), { redirect: 'manual' })
  const { body, text } = await inspect(service, person, new URL(page.headers.get('location') ?? '').search.slice(1))
  assert.equal(body.refused, null, text)
  assert.equal(body.request.isLoopback, true)
  const decided = await decide(service, person, { requestId: body.request.id, allow })
  assert.equal(decided.status, 200, decided.text)
  return { back: new URL(decided.body.redirectTo), next, program }
}

test('a command line signs its person in through the browser, and gives the access back', async (t) => {
  const person = await service.signIn('ana@example.com')
  const { back, next, program } = await open(t, person, true)
  assert.equal((await appsOf(service, person)).length, 1)
  const [said, exit] = await Promise.all([next(), once(program, 'exit'), fetch(back)])
  assert.deepEqual([said, exit[0]], ['signed in as ana@example.com', 0])
  assert.deepEqual(await appsOf(service, person), [])
})

test('it gets nothing when the person refuses, or when another program answers it first', async (t) => {
  const person = await service.signIn('bob@example.com')
  const refused = await open(t, person, false)
  const [said] = await Promise.all([refused.next(), fetch(refused.back)])
  assert.equal(said, 'refused: access_denied')
  // Somebody else's code in the right answer: the verifier is another one.
  const [own, other] = [await open(t, person, true), await open(t, person, true)]
  own.back.searchParams.set('code', other.back.searchParams.get('code') ?? '')
  assert.match((await Promise.all([own.next(), fetch(own.back)]))[0], /^refused: invalid_grant/)
  assert.equal((await appsOf(service, person)).length, 1)
})
