/** The change of an address in a random life: it is undone at once, because a person of the model has one address. */
import assert from 'node:assert/strict'
import { isRecentPerson, isValid, undoChange } from './model.ts'
import type { ModelToken } from './model.ts'
import { tokenIn } from './world.ts'
import type { World } from './world.ts'

let addresses = 0

/** @param chosen decides whether the change is confirmed, and how it is undone */
export async function changeAndUndo(world: World, token: ModelToken, chosen: number): Promise<void> {
  const { user, account } = token
  const newEmail = `moved-${++addresses}-${user.email}`
  const isAllowed = isRecentPerson(token, world.nowMs())
  const wasValid = isValid(token, world.nowMs())
  let notices: Awaited<ReturnType<World['mailsAfter']>> = []
  const links = await world.mailsAfter(newEmail, async () => {
    notices = await world.mailsAfter(user.email, () =>
      world.askAs(token, 'POST /users/me/email', isAllowed ? 202 : 'SIGN_IN_REQUIRED', { body: { email: newEmail } }),
    )
  })
  assert.equal(links.length, isAllowed && wasValid ? 1 : 0, 'mails to the new address')
  const [link] = links
  const notice = notices.find(({ message }) => message.subject?.startsWith('Somebody asked'))
  if (link === undefined) return
  assert.ok(notice)
  account.events.push('email_change_asked')
  const body = { token: tokenIn(link, '/confirm-email') }
  const other = world.tokens.find((one) => one.signInId !== token.signInId && isValid(one, world.nowMs()))
  if (other !== undefined) await world.askAs(other, 'POST /auth/email/confirm', 'SIGN_IN_REQUIRED', { body })
  if (chosen % 2 === 0) return
  let confirmed: any
  const mails = await world.mailsAfter(user.email, async () => {
    confirmed = await world.askAs(token, 'POST /auth/email/confirm', 200, { body })
  })
  assert.equal(confirmed.user.email, newEmail)
  account.version += 1
  account.events.push(...(account.google === null ? [] : ['google_disconnected']), 'email_changed')
  await world.ask('POST /auth/api/signup', 'EMAIL_TAKEN', { body: { email: user.email } })
  assert.equal((await world.ask('GET /users/me', 200, { token: confirmed.token })).user.email, newEmail)
  const changed = mails.find(({ message }) => message.text?.includes('/undo-email'))
  assert.ok(changed)
  const undo = { body: { token: tokenIn(changed, '/undo-email') } }
  for (const _ of ['press', 'press again']) await world.ask('POST /auth/email/undo', 200, undo)
  await world.ask('GET /users/me', 'UNAUTHORIZED', { token: confirmed.token })
  undoChange(account, token.signInId ?? '', world.nowMs())
}
