import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startMailing, until } from '../../../support/mail/mailing.ts'

const MAILS = 50
/** Of the process's other work. */
const OTHERS = 10

test('a sent mail leaves no timer or signal of its attempt in memory', async (t) => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const made: WeakRef<AbortSignal>[] = []
  class Recorded extends AbortController {
    constructor() {
      super()
      made.push(new WeakRef(this.signal))
    }
  }
  t.mock.property(globalThis, 'AbortController', Recorded)
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

  const mailing = await startMailing()
  t.after(() => mailing.close())
  const atFirst = timers()
  for (let n = 0; n < MAILS; n++) await mailing.enqueue({ email: `many${n}@example.com` })
  mailing.queue.start()
  await until(async () => (await mailing.waiting()).length === 0)
  assert.equal(mailing.smtp.mails.length, MAILS)
  assert.ok(made.length >= MAILS, 'the signals of the attempts are recorded')
  assert.ok(timers() - atFirst < OTHERS, `${timers()} timers, ${atFirst} before`)
  const left = () => {
    collectGarbage()
    return made.filter((signal) => signal.deref() !== undefined).length
  }
  // Sockets and timers of the test's own parts hold some for a moment.
  for (let looks = 0; looks < 20 && left() >= OTHERS; looks++) await wait(100)
  assert.ok(left() < OTHERS, `${left()} signals are left`)
})
