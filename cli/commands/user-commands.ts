/** The commands below `users`. */
import { json, jsonHelp, none, one, userArgument, yes, yesHelp } from '../command-options.ts'
import type { Command, CommandOptions } from '../command-type.ts'
import type { DatabaseAccess } from './settings.ts'

const userCommand = (
  summary: string,
  run: (users: typeof import('./users.ts'), user: string, options: CommandOptions) => Promise<void>,
  database: DatabaseAccess,
  needsConfirmation: boolean,
  more: readonly string[] = [],
): Command => ({
  usage: 'USER',
  summary,
  more: [...more, userArgument, ...(needsConfirmation ? [yesHelp] : []), jsonHelp],
  options: needsConfirmation ? { ...json, ...yes } : json,
  takes: one,
  database,
  run: async (options, [user = '']) => run(await import('./users.ts'), user, options),
})

/** In the order of the help. */
export const userCommands: Readonly<Record<string, Command>> = {
  'users list': {
    usage: '',
    summary: 'list users, oldest first',
    more: [
      '--search TEXT  only users whose address contains TEXT',
      '--limit N  maximum number of users, 100 by default',
      '--after ID  only users created after this one',
      jsonHelp,
    ],
    options: { ...json, search: { type: 'string' }, limit: { type: 'string' }, after: { type: 'string' } },
    takes: none,
    database: 'reads',
    run: async (options) => (await import('./users.ts')).listUsers(options),
  },
  'users show': userCommand(
    'show one user: state, keys, latest events',
    (users, user, options) => users.showUser(user, options),
    'reads',
    false,
  ),
  'users revoke-tokens': userCommand(
    'revoke all tokens of a user at once',
    (users, user, options) => users.revokeTokens(user, options),
    'writes',
    true,
    ['API keys can still be exchanged for new tokens: revoke them, or disable the user.'],
  ),
  'users disable': userCommand(
    'block all credentials of a user at once, until enabled again',
    (users, user, options) => users.disableUser(user, options),
    'writes',
    true,
    ['Blocks tokens, API keys, sign-in by magic link and Google, buttons in mails and payment links.'],
  ),
  'users enable': userCommand(
    'enable a disabled user; tokens issued before stay revoked',
    (users, user, options) => users.enableUser(user, options),
    'writes',
    false,
  ),
  'users export': {
    usage: 'USER',
    summary: 'write everything stored about a user to standard output, as JSON',
    more: ['The document is that of GET /users/me/export. The user’s activity shows it.', userArgument],
    options: {},
    takes: one,
    database: 'writes',
    run: async (_options, [user = '']) => (await import('./users.ts')).exportUser(user),
  },
  'users delete': {
    usage: 'USER',
    summary: 'delete a user and all their data',
    more: [
      'The address is then free for a new account. To block the address, disable the user instead.',
      userArgument,
      '--unclaimed-since DATE  instead of USER: all accounts created before, never claimed and not used since',
      yesHelp,
      jsonHelp,
    ],
    options: { ...json, ...yes, 'unclaimed-since': { type: 'string' } },
    takes: [0, 1],
    database: 'writes',
    run: async (options, [user]) => (await import('./users.ts')).deleteUsers(user, options),
  },
}
