/** The request and answer of a mail's buttons. */
import { Type } from 'typebox'

/** What the page of a button posts. */
export const ButtonBody = Type.Object(
  { token: Type.String({ description: 'The token of the mail’s button.' }) },
  { additionalProperties: false, examples: [{ token: 'k3Zr0bXn4Yk2pV9c1sQ7tLw8mJf5hDg6aEo-uRi_xyU' }] },
)

/** What it gets. */
export const ButtonAnswer = Type.Object(
  { ok: Type.Boolean() },
  { description: 'Done, now or before.', examples: [{ ok: true }] },
)
