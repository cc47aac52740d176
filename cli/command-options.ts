/** Options, argument counts and help lines that several commands share. */
export const json = { json: { type: 'boolean' } } as const
export const yes = { yes: { type: 'boolean' } } as const
export const one = [1, 1] as const
export const none = [0, 0] as const
export const yesHelp = '--yes  skip the confirmation; required without a terminal'
export const jsonHelp = '--json  write one JSON document to standard output'
export const userArgument = 'USER is a user’s id or e-mail address.'
