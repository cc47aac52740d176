/** All commands: help texts, options, and the module of each. */
import type { Command, CommandOptions } from './command-type.ts'
import type { DatabaseAccess } from './settings.ts'

const json = { json: { type: 'boolean' } } as const
const yes = { yes: { type: 'boolean' } } as const
const one = [1, 1] as const
const none = [0, 0] as const
const yesHelp = '--yes  skip the confirmation; required without a terminal'
const jsonHelp = '--json  write one JSON document to standard output'
const userArgument = 'USER is a user’s id or e-mail address.'

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
export const commands: Readonly<Record<string, Command>> = {
  serve: {
    usage: '',
    summary: 'apply missing migrations and run the service (settings: docs/settings.md)',
    takes: none,
    database: 'writes',
    run: async () => {
      const { isEvenThoughMoved, readSettings } = await import('./settings.ts')
      return (await import('../src/main.ts')).serve(readSettings(), isEvenThoughMoved())
    },
  },
  migrate: {
    usage: '',
    summary: 'apply missing migrations and stop',
    takes: none,
    database: 'writes',
    run: async () => (await import('./migrate.ts')).migrateSchema(),
  },
  doctor: {
    usage: '',
    summary: 'check settings, database, mail server, Google, clock and public URL',
    more: [
      'Prints a line per check: ok, or what to do. Exit code 1 if there is something to do, 78 if settings are invalid.',
      '--deep  read the whole database and check indexes and foreign keys; may take minutes, also while the service runs',
      jsonHelp,
    ],
    options: { ...json, deep: { type: 'boolean' } },
    takes: none,
    database: 'reads',
    run: async (options) => (await import('./doctor.ts')).doctor(options),
  },
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
  'sessions list': {
    usage: 'USER',
    summary: 'list the live sign-ins of a user, last seen first',
    more: ['LAST SEEN is at most five minutes late.', userArgument, jsonHelp],
    options: json,
    takes: one,
    database: 'reads',
    run: async (options, [user = '']) => (await import('./sessions.ts')).listSessions(user, options),
  },
  'sessions revoke': {
    usage: 'USER ID',
    summary: 'end one sign-in of a user and all its tokens at once',
    more: [
      'To end all of them, with the tokens of API keys: paylink-auth users revoke-tokens.',
      userArgument,
      yesHelp,
      jsonHelp,
    ],
    options: { ...json, ...yes },
    takes: [2, 2],
    database: 'writes',
    run: async (options, [user = '', id = '']) => (await import('./sessions.ts')).revokeSession(user, id, options),
  },
  'keys list': {
    usage: 'USER',
    summary: 'list the API keys of a user, newest first',
    more: [userArgument, jsonHelp],
    options: json,
    takes: one,
    database: 'reads',
    run: async (options, [user = '']) => (await import('./keys.ts')).listKeys(user, options),
  },
  'keys create': {
    usage: 'USER',
    summary: 'create an API key for a user; its secret is shown once',
    more: [
      userArgument,
      '--name TEXT  a label; “API key” by default',
      '--expires-in-days N  1 to 3650; never by default',
      '--scopes LIST  what it may do, separated by commas; all that a key of the account may do by default.',
      'tokens:introspect, for services behind this one, is given only here.',
      jsonHelp,
    ],
    options: {
      ...json,
      name: { type: 'string' },
      'expires-in-days': { type: 'string' },
      scopes: { type: 'string' },
    },
    takes: one,
    database: 'writes',
    run: async (options, [user = '']) => (await import('./keys.ts')).createKey(user, options),
  },
  'keys revoke': {
    usage: 'KEY_ID',
    summary: 'revoke an API key (plk_…) and all its tokens at once',
    more: ['--with-descendants  also revoke the keys created with its tokens', yesHelp, jsonHelp],
    options: { ...json, ...yes, 'with-descendants': { type: 'boolean' } },
    takes: one,
    database: 'writes',
    run: async (options, [key = '']) => (await import('./keys.ts')).revokeKey(key, options),
  },
  'keys scan': {
    usage: 'FILE…',
    summary: 'search files and folders (-: standard input) for API key secrets, offline',
    more: ['Exit code 2 if it finds any.', jsonHelp],
    options: json,
    takes: [1, Infinity],
    database: 'offline',
    run: async (options, paths) => (await import('./scan-keys.ts')).scanKeys(paths, options),
  },
  backup: {
    usage: 'FILE',
    summary: 'write a complete copy of the embedded database, even while the service runs',
    more: ['Never overwrites a file. For PostgreSQL use pg_dump.', jsonHelp],
    options: json,
    takes: one,
    database: 'reads',
    run: async (options, [file = '']) => (await import('./backup.ts')).backup(file, options),
  },
  restore: {
    usage: '[FILE]',
    summary: 'replace the embedded database with a backup; stop the service first',
    more: [
      'Revoked credentials stay revoked: all tokens, links and buttons become invalid, and revocations since the backup',
      'are taken from the replaced database. Keys whose state is unknown there wait for their owners.',
      '--keys=trust  enable those keys: nothing was revoked since the backup',
      '--in-place  PostgreSQL, instead of FILE: after pg_restore into DATABASE_URL, before any service starts',
      '--replaced postgres://…  with --in-place: the previous database, to take revocations from',
      yesHelp,
      jsonHelp,
    ],
    options: {
      ...json,
      ...yes,
      keys: { type: 'string' },
      'in-place': { type: 'boolean' },
      replaced: { type: 'string' },
    },
    takes: [0, 1],
    database: 'writes',
    run: async (options, [file]) => (await import('./restore.ts')).restore(file, options),
  },
  vacuum: {
    usage: '',
    summary: 'rewrite the embedded database without free space and deleted data; stop the service first',
    more: ['Needs twice the space of the database meanwhile.', jsonHelp],
    options: json,
    takes: none,
    database: 'writes',
    run: async (options) => (await import('./vacuum.ts')).vacuumFile(options),
  },
  'copy-to-postgres': {
    usage: '',
    summary: 'copy the embedded database into an empty PostgreSQL database; stop the service first',
    more: [
      'Copies everything or nothing.',
      '--from sqlite:PATH  default: the database in DATA_DIR',
      '--to postgres://…  default: DATABASE_URL, which unlike an argument is hidden from other users of the machine',
      jsonHelp,
    ],
    options: { ...json, from: { type: 'string' }, to: { type: 'string' } },
    takes: none,
    database: 'writes',
    run: async (options) => (await import('./copy-to-postgres.ts')).copyToPostgres(options),
  },
  'rates load': {
    usage: 'FILE',
    summary: 'load exchange rates from a document of the National Bank of Romania (XML)',
    more: [jsonHelp],
    options: json,
    takes: one,
    database: 'writes',
    run: async (options, [file = '']) => (await import('./load-rates.ts')).loadRates(file, options),
  },
}
