import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import { startMailing, until } from '../../../support/mail/mailing.ts'

test('a sent mail leaves no timer or signal of its attempt in memory', async (t) => {
  const mailing = await startMailing()
  t.after(() => mailing.close())
  const signals = () => queryObjects(AbortSignal, { format: 'count' })
  const atFirst = signals()
  for (let n = 0; n < 50; n++) await mailing.enqueue({ email: `many${n}@example.com` })
  mailing.queue.start()
  await until(async () => (await mailing.waiting()).length === 0)
  assert.equal(mailing.smtp.mails.length, 50)
  // Counting walks the whole heap, which takes long where other tests have run before.
  for (let looks = 0; looks < 10 && signals() - atFirst >= 10; looks++) await wait(1000)
  assert.ok(signals() - atFirst < 10, 'no signal is left')
})
