import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { countMailsTo, press, signInMail } from '../../../support/mail/buttons.ts'
import { from, productionLimits } from '../../../support/http/limits.ts'
import { verify } from '../../../support/mail/links.ts'
import { startService } from '../../../support/service.ts'
import { recipientsOf } from '../../../support/database/state.ts'

test('guesses at mail buttons count as failed sign-ins and end in 429; a right button always works', async (t) => {
  const limited = await startService(productionLimits)
  t.after(() => limited.close())
  const headers = from('192.0.2.1')
  for (let n = 0; n < 30; n++) {
    const button = n % 2 === 0 ? 'not-me' : 'resume-mail'
    assertError(await press(limited, button, `guess ${n}`, headers), 'LINK_INVALID')
  }
  for (const button of ['not-me', 'resume-mail'] as const) {
    assertError(await press(limited, button, 'guess', headers), 'RATE_LIMITED')
  }
  assertError(await verify(limited, 'guess', { headers }), 'RATE_LIMITED')
  assertError(await press(limited, 'not-me', 'guess', from('192.0.2.2')), 'LINK_INVALID')

  const { notMe: token } = await signInMail(limited, 'ana@example.com')
  assert.equal((await press(limited, 'not-me', token, headers)).status, 200)
  assert.equal(await countMailsTo(limited, 'ana@example.com'), 1)
  assert.deepEqual(await recipientsOf(limited), ['ana@example.com'])
})
