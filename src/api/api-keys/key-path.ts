import { Type } from 'typebox'

/** Any text is valid; one that is not a key of the caller gets a 404. */
export const KeyParams = Type.Object({ id: Type.String({ description: 'The key’s record id.' }) })
