/** `POST /auth/email/undo`: the holder of an account's former address undoes the change of it. */
import { pressUndo } from '../../domain/undo/press-undo.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { ButtonAnswer, ButtonBody, pressUndoingButton } from './mail-button.ts'

export const undoEmail: Endpoint = (app, deps) => {
  app.post('/auth/email/undo', {
    config: { access: 'public', crossSite: 'refused', errors: ['LINK_INVALID', 'RATE_LIMITED'] },
    schema: {
      operationId: 'undoEmail',
      summary: 'Undo a change of the e-mail address',
      description:
        'Takes the token of the button in a mail to the former address, valid until seven days after the change. It restores the address and the Google accounts of before, except those connected in the week before the change or used to ask for it, ends every sign-in, and makes the API keys created since await the owner. Later changes are undone too, and an account that was deleted since comes back. A second call changes nothing.',
      tags: ['Magic link'],
      'x-beyond-specification': true,
      body: ButtonBody,
      response: { 200: ButtonAnswer },
    },
    handler: (request, reply) => pressUndoingButton(deps, request, reply, 'undo_email', pressUndo),
  })
}
