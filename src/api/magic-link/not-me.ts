/** `POST /auth/links/not-me`: the holder of a mailbox disowns a mail, which undoes its consequences. */
import { disownMail } from '../../domain/undo/not-me.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { ButtonAnswer, ButtonBody, pressUndoingButton } from './mail-button.ts'

export const notMe: Endpoint = (app, deps) => {
  app.post('/auth/links/not-me', {
    config: { access: 'public', crossSite: 'refused', errors: ['LINK_INVALID', 'RATE_LIMITED'] },
    schema: {
      operationId: 'notMe',
      summary: 'Disown a mail (“This wasn’t you?”)',
      description:
        'Takes the token of the “This wasn’t you?” button of a mail, valid for 7 days. It voids the address’s sign-in links and pauses mails that others can cause. If the mail led to a sign-in or a change, it also signs the user out everywhere, disconnects the Google accounts that this sign-in connected or was made with, clears a display name that it set, undoes a change of the address that followed from it, and makes the keys that came from it, and their descendants, await the owner. These are, by kind of mail: the keys that the sign-in by its link created, rotated, widened or kept; the keys that it reported; the keys created since the Google connection that it reported, which is removed; or all keys of the unclaimed account whose signup it reported. A second call changes nothing.',
      tags: ['Magic link'],
      'x-beyond-specification': true,
      body: ButtonBody,
      response: { 200: ButtonAnswer },
    },
    handler: (request, reply) => pressUndoingButton(deps, request, reply, 'not_me', disownMail),
  })
}
