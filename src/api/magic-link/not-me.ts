/** `POST /auth/links/not-me`: the holder of a mailbox says that a mail was not theirs; what came of it is undone. */
import { bringWithinBounds, STEPS_OF_A_REQUEST } from '../../domain/keys/key-history.ts'
import { findButton } from '../../domain/mails/mail-button-store.ts'
import { disownMail } from '../../domain/sign-in/not-me.ts'
import { findUserByEmail } from '../../domain/users/user-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { sha256 } from '../../lib/hash.ts'
import { ButtonAnswer, ButtonBody, pressButton } from './mail-button.ts'

/** Adds the endpoint. */
export const notMe: Endpoint = (app, deps) => {
  const { clock } = deps

  app.post('/auth/links/not-me', {
    config: { access: 'public', crossSite: 'refused', errors: ['LINK_INVALID', 'RATE_LIMITED'] },
    schema: {
      operationId: 'notMe',
      summary: 'Say that a mail was not caused by oneself',
      description:
        'Takes the token of a mail’s “This wasn’t you?”, valid for 7 days. Voids the address’s links and pauses the mails that others can cause; signs the user out everywhere and lets keys wait for the owner, as far as they came of that mail: what the sign-in by its link made, what it told of and what belongs to that, a Google account that it told of and what was made since, and everything of an account that nobody has claimed where it told of the signup. A second time changes nothing.',
      tags: ['Magic link'],
      'x-beyond-specification': true,
      body: ButtonBody,
      response: { 200: ButtonAnswer },
    },
    async handler(request, reply) {
      const known = await findButton(deps.db, 'not_me', sha256(request.body.token), clock.now())
      const owner = known && (await findUserByEmail(deps.db, known.email))
      if (owner !== undefined) await bringWithinBounds(deps, owner.id, STEPS_OF_A_REQUEST)
      return pressButton(deps, request, reply, (trx, tokenHash) => disownMail(deps, trx, tokenHash, request))
    },
  })
}
