/** The path parameter of the endpoints that are about one payment link. */
import { Type } from 'typebox'

/** `:id`. Any text is one: what is no link of the caller's is not found. */
export const PaymentLinkParams = Type.Object({ id: Type.String({ description: 'The payment link’s id.' }) })
