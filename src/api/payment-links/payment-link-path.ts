import { Type } from 'typebox'

/** Any text is valid; one that is not a link of the caller gets a 404. */
export const PaymentLinkParams = Type.Object({ id: Type.String({ description: 'The payment link’s id.' }) })
