/** `POST /auth/email/undo`: the holder of an account's former address undoes the change of it. */
import { findUserOfMailbox } from '../../domain/address-change/former-user.ts'
import { pressUndo } from '../../domain/undo/press-undo.ts'
import { MAX_STEPS_PER_REQUEST, trimKeyHistory } from '../../domain/keys/key-history.ts'
import { findButton } from '../../domain/mails/mail-button-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { Transaction } from '../../database/database.ts'
import { sha256 } from '../../lib/hash.ts'
import { ButtonAnswer, ButtonBody, pressButton } from './mail-button.ts'

export const undoEmail: Endpoint = (app, deps) => {
  const { clock } = deps

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
    async handler(request, reply) {
      const known = await findButton(deps.db, 'undo_email', sha256(request.body.token), clock.now())
      const owner = known && (await findUserOfMailbox(deps.db, known.email, clock.now()))
      if (owner !== undefined)
        await trimKeyHistory(deps, owner.id, { maxSteps: MAX_STEPS_PER_REQUEST, isRevocation: true })
      const press = (trx: Transaction, tokenHash: string) => pressUndo(deps, trx, tokenHash, request)
      return pressButton(deps, request, reply, press, { isRevocation: true })
    },
  })
}
