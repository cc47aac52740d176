/** Who is measured: how each is set up and started, and which works it does. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { DatabaseSync } from 'node:sqlite'
import { fillFile, fillServer, schema } from './tables.ts'
import type { Filling } from './tables.ts'
import { JWT_SECRET, ownCalls, PUBLIC_URL, secretOf } from './works.ts'
import type { Calls, Work } from './works.ts'

/** What a contestant's data is in; the necessary work of the same is what it is compared with. */
export type Group = 'embedded' | 'PostgreSQL'

/** What is there for all: a folder, the mail sink's port, the server of databases where there is one. */
export type Arena = Readonly<{ folder: string; mailPort: number; cluster: string | undefined }>

/** Somebody who is measured. */
export type Contestant = Readonly<{
  name: string
  group: Group
  works: readonly Work[]
  /** Makes its data, and says how it is started, on the port of `PORT`. */
  prepare(arena: Arena): Promise<Prepared>
}>

/** How a process of a contestant is started, and what it is asked once it runs. */
export type Prepared = Readonly<{
  args: readonly string[]
  env: Readonly<Record<string, string>>
  calls(): Promise<Calls>
}>

const all: readonly Work[] = ['protected-one', 'protected', 'exchange', 'link-request', 'link-verify', 'signup']
const reads: readonly Work[] = ['protected-one', 'protected', 'exchange']

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
/** What is shipped, started as the unit and the image start it. */
const CLI = fileOf('../dist/paylink-auth.js')

/** Where the recorded answers of the service are kept in an arena. */
export const answersIn = (arena: Arena): string => join(arena.folder, 'answers.json')

// A new database, and what DATABASE_URL says of it.
async function newDatabase(arena: Arena, name: string, group: Group): Promise<string> {
  const folder = join(arena.folder, name)
  mkdirSync(folder, { recursive: true })
  if (group === 'embedded') return `sqlite:${join(folder, 'bench.db')}`
  const url = new URL(arena.cluster ?? '')
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database "${name}"`)
  await client.end()
  url.pathname = `/${name}`
  return url.href
}

async function fillAt(url: string, how: Filling, tables?: string): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const path = url.slice('sqlite:'.length)
    if (tables !== undefined) {
      const file = new DatabaseSync(path)
      file.exec(tables)
      file.close()
    }
    return fillFile(path, how)
  }
  if (tables !== undefined) {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(tables)
    await client.end()
  }
  return fillServer(url, how)
}

const sha256 = async (): Promise<Filling['hash']> => (await import('../src/lib/hash.ts')).sha256

// A hash of bcrypt takes 60 ms: all keys have one secret, and the exchange still compares each.
async function bcrypted(): Promise<Filling['hash']> {
  const { hashSync } = await import('bcrypt')
  const hashed = hashSync(secretOf(0), 10)
  return () => hashed
}

/**
 * The service itself: the real command line, in production.
 * @param idleUsers how many more users there are, with three keys each, that nobody asks for
 */
function ours(
  name: string,
  group: Group,
  works: readonly Work[],
  settings: Readonly<Record<string, string>>,
  idleUsers = 0,
): Contestant {
  return {
    name,
    group,
    works,
    async prepare(arena) {
      const env = {
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PUBLIC_URL,
        JWT_SECRET,
        SMTP_URL: `smtp://127.0.0.1:${arena.mailPort}`,
        EXCHANGE_RATES_URL: 'off',
        MALLOC_ARENA_MAX: '2',
        DATABASE_URL: await newDatabase(arena, name, group),
        ...settings,
      }
      const { PATH = '' } = process.env
      execFileSync(process.execPath, [CLI, 'migrate'], {
        env: { PATH, ...env },
        cwd: arena.folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      await fillAt(env.DATABASE_URL, { hash: await sha256(), secretOf, idleUsers })
      return {
        args: ['--max-semi-space-size=8', '--max-old-space-size=512', CLI, 'serve'],
        env,
        calls: async () => ownCalls(),
      }
    },
  }
}

/** A target of this folder with the tables of the necessary work. */
function withTables(name: string, file: string, group: Group, works: readonly Work[], usesBcrypt = false): Contestant {
  return {
    name,
    group,
    works,
    async prepare(arena) {
      const url = await newDatabase(arena, name, group)
      const secret = usesBcrypt ? () => secretOf(0) : secretOf
      const env = {
        DATABASE_URL: url,
        JWT_SECRET,
        ANSWERS: answersIn(arena),
        ...(usesBcrypt ? { SECRETS: 'bcrypt' } : {}),
      }
      const hash = usesBcrypt ? await bcrypted() : await sha256()
      await fillAt(url, { hash, secretOf: secret, idleUsers: 0 }, schema)
      return { args: [fileOf(`targets/${file}.ts`)], env, calls: async () => ownCalls(secret) }
    },
  }
}

/** A target of this folder that makes its own data when it starts, and writes down how it is called. */
function withOwnCalls(name: string, works: readonly Work[]): Contestant {
  return {
    name,
    group: 'embedded',
    works,
    async prepare(arena) {
      const CALLS = join(arena.folder, `${name}.json`)
      const env = { DATABASE_URL: await newDatabase(arena, name, 'embedded'), JWT_SECRET, CALLS }
      const calls = async () => JSON.parse(readFileSync(CALLS, 'utf8')) as Calls
      return { args: [fileOf(`targets/${name}.ts`)], env, calls }
    },
  }
}

const floor: Contestant = {
  name: 'floor',
  group: 'embedded',
  works: all,
  prepare: async (arena) => ({
    args: [fileOf('targets/floor.ts')],
    env: { ANSWERS: answersIn(arena) },
    calls: async () => ({ ...ownCalls(), refused: {} }),
  }),
}

const OFF = { RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }

/** Everybody, in the order of their turns. The service comes first: its answers are what some others repeat. */
export const contestants: readonly Contestant[] = [
  ours('paylink-auth', 'embedded', all, OFF),
  floor,
  withTables('necessary', 'necessary', 'embedded', all),
  withTables('express', 'express', 'embedded', all),
  withTables('express-bcrypt', 'express', 'embedded', ['exchange', 'signup'], true),
  withOwnCalls('oidc-provider', reads),
  withOwnCalls('better-auth', [...reads, 'link-request', 'link-verify']),
  // Each key's limit, which the load would be over at once, is counted and never reached.
  ours('paylink-auth-as-shipped', 'embedded', reads, { RATE_LIMIT_EXCHANGE_KEY: '100000000/1m' }),
  ours('paylink-auth-million', 'embedded', ['protected', 'exchange'], OFF, 1_000_000),
  ours('paylink-auth-postgres', 'PostgreSQL', reads, OFF),
  withTables('necessary-postgres', 'necessary', 'PostgreSQL', reads),
  withTables('express-postgres', 'express', 'PostgreSQL', reads),
]

/** Whom the others of a group are compared with. */
export const baselineOf = (group: Group): string => (group === 'embedded' ? 'necessary' : 'necessary-postgres')
