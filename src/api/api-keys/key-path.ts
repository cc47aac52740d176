/** The path parameter of the endpoints that are about one key. */
import { Type } from 'typebox'

/** `:id`, the key's record id. Any text is one: what is no key of the caller's is not found. */
export const KeyParams = Type.Object({ id: Type.String({ description: 'The key’s record id.' }) })
