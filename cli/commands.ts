/** Every command: its words, its options, and where its work is. */
import type { ParseArgsConfig } from 'node:util'
import type { BackupOptions } from './backup.ts'
import type { CopyOptions } from './copy-to-postgres.ts'
import type { DoctorOptions } from './doctor.ts'
import type { KeyOptions } from './keys.ts'
import type { RestoreOptions } from './restore.ts'
import type { UserOptions } from './users.ts'

type Options = UserOptions & KeyOptions & CopyOptions & BackupOptions & RestoreOptions & DoctorOptions

/** A command. */
export type Command = Readonly<{
  /** What stands behind its name in the line of usage. */
  usage: string
  summary: string
  /** More about it, a line each. */
  more?: readonly string[]
  options?: NonNullable<ParseArgsConfig['options']>
  /** How many arguments it takes: at least, and at most. */
  takes: readonly [number, number]
  /** Loads what it needs itself: help and the offline commands do without the service. @returns the exit code; default 0 */
  run(options: Options, args: readonly string[]): Promise<number | void>
}>

const json = { json: { type: 'boolean' } } as const
const yes = { yes: { type: 'boolean' } } as const
const one = [1, 1] as const
const none = [0, 0] as const
const asks = '--yes  do not ask; needed where nobody can be asked'
const asJson = '--json  one JSON document on standard output'
const byWhom = 'USER is a user’s id or e-mail address.'

const ofUser = (
  summary: string,
  run: (users: typeof import('./users.ts'), user: string, options: Options) => Promise<void>,
  isAsking: boolean,
  more: readonly string[] = [],
): Command => ({
  usage: 'USER',
  summary,
  more: [...more, byWhom, ...(isAsking ? [asks] : []), asJson],
  options: isAsking ? { ...json, ...yes } : json,
  takes: one,
  run: async (options, [user = '']) => run(await import('./users.ts'), user, options),
})

/** All of them by name, in the order that help lists them. */
export const commands: Readonly<Record<string, Command>> = {
  serve: {
    usage: '',
    summary: 'apply missing migrations and run the service (settings: docs/settings.md)',
    takes: none,
    run: async () => (await import('../src/main.ts')).serve(),
  },
  migrate: {
    usage: '',
    summary: 'apply missing migrations and stop',
    takes: none,
    run: async () => (await import('./migrate.ts')).migrateSchema(),
  },
  doctor: {
    usage: '',
    summary: 'look at settings, database, mail server, Google, clock and public URL',
    more: [
      'A line each: ok, or what to do. Ends with 1 where there is something to do, with 78 where settings are wrong.',
      asJson,
    ],
    options: json,
    takes: none,
    run: async (options) => (await import('./doctor.ts')).doctor(options),
  },
  'users list': {
    usage: '',
    summary: 'list users, oldest first',
    more: [
      '--search TEXT  only those with this in their address',
      '--limit N  how many, 100 by default',
      '--after ID  only those who came later',
      asJson,
    ],
    options: { ...json, search: { type: 'string' }, limit: { type: 'string' }, after: { type: 'string' } },
    takes: none,
    run: async (options) => (await import('./users.ts')).listUsers(options),
  },
  'users show': ofUser(
    'one user: state, keys, what happened last',
    (users, user, options) => users.showUser(user, options),
    false,
  ),
  'users revoke-tokens': ofUser(
    'sign a user out everywhere, at once',
    (users, user, options) => users.revokeTokens(user, options),
    true,
    ['API keys can be exchanged again: revoke them, or disable the user.'],
  ),
  'users disable': ofUser(
    'let nothing of a user work, at once, until it is enabled',
    (users, user, options) => users.disableUser(user, options),
    true,
    ['Tokens, API keys, sign-in by link and by Google, buttons in mails and payment links.'],
  ),
  'users enable': ofUser(
    'take that back; tokens from before stay dead',
    (users, user, options) => users.enableUser(user, options),
    false,
  ),
  'users delete': ofUser(
    'delete a user and everything about them',
    (users, user, options) => users.deleteUser(user, options),
    true,
    ['The address is free for a new account afterwards; to keep it out, disable the user instead.'],
  ),
  'keys list': {
    usage: 'USER',
    summary: 'list the API keys of a user, newest first',
    more: [byWhom, asJson],
    options: json,
    takes: one,
    run: async (options, [user = '']) => (await import('./keys.ts')).listKeys(user, options),
  },
  'keys create': {
    usage: 'USER',
    summary: 'make an API key for a user; its secret is shown once',
    more: [
      byWhom,
      '--name TEXT  a label; “API key” by default',
      '--expires-in-days N  1 to 3650; never by default',
      asJson,
    ],
    options: { ...json, name: { type: 'string' }, 'expires-in-days': { type: 'string' } },
    takes: one,
    run: async (options, [user = '']) => (await import('./keys.ts')).createKey(user, options),
  },
  'keys revoke': {
    usage: 'KEY_ID',
    summary: 'revoke an API key (plk_…) and every token that came from it, at once',
    more: ['--with-descendants  the keys too that its tokens made', asks, asJson],
    options: { ...json, ...yes, 'with-descendants': { type: 'boolean' } },
    takes: one,
    run: async (options, [key = '']) => (await import('./keys.ts')).revokeKey(key, options),
  },
  'keys scan': {
    usage: 'FILE…',
    summary: 'look for API key secrets in files and folders (-: what is piped in), offline',
    more: ['Ends with 2 where it found some.', asJson],
    options: json,
    takes: [1, Infinity],
    run: async (options, paths) => (await import('./scan-keys.ts')).scanKeys(paths, options),
  },
  backup: {
    usage: 'FILE',
    summary: 'write a whole copy of the embedded database, also while the service runs',
    more: ['Never overwrites. Of PostgreSQL: pg_dump.', asJson],
    options: json,
    takes: one,
    run: async (options, [file = '']) => (await import('./backup.ts')).backup(file, options),
  },
  restore: {
    usage: '[FILE]',
    summary: 'put a backup in the place of the embedded database; stop the service first',
    more: [
      'Nothing that was revoked comes back to life: all tokens, links and buttons die, and what was revoked since the',
      'backup stays so, by the database that is replaced. Keys of which that does not tell wait for their owners.',
      '--keys=trust  let them work: nothing was revoked since the backup',
      '--in-place  PostgreSQL, in place of FILE: after pg_restore into DATABASE_URL, before any service starts',
      '--replaced postgres://…  with --in-place: the database as it was before, to take over what was revoked',
      asks,
      asJson,
    ],
    options: {
      ...json,
      ...yes,
      keys: { type: 'string' },
      'in-place': { type: 'boolean' },
      replaced: { type: 'string' },
    },
    takes: [0, 1],
    run: async (options, [file]) => (await import('./restore.ts')).restore(file, options),
  },
  'copy-to-postgres': {
    usage: '',
    summary: 'copy the embedded database into an empty PostgreSQL one; stop the service first',
    more: [
      'Whole or not at all.',
      '--from sqlite:PATH  default: the one in DATA_DIR',
      '--to postgres://…  default: DATABASE_URL, which other users of the machine cannot see',
      asJson,
    ],
    options: { ...json, from: { type: 'string' }, to: { type: 'string' } },
    takes: none,
    run: async (options) => (await import('./copy-to-postgres.ts')).copyToPostgres(options),
  },
  'rates load': {
    usage: 'FILE',
    summary: 'take exchange rates from a document of the National Bank of Romania (XML)',
    more: [asJson],
    options: json,
    takes: one,
    run: async (options, [file = '']) => (await import('./load-rates.ts')).loadRates(file, options),
  },
}
