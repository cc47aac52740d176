/** The servers that are measured: how each is set up and started, and its workloads. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { DatabaseSync } from 'node:sqlite'
import { fillFile, fillServer, schema } from './tables.ts'
import type { Filling } from './tables.ts'
import { JWT_SECRET, ownCalls, PUBLIC_URL, secretOf } from './workloads.ts'
import type { Calls, Workload } from './workloads.ts'

/** The database of a contestant. Its baseline is the necessary work on the same database. */
export type Group = 'embedded' | 'PostgreSQL'

/** Shared by all contestants; `cluster` is the URL of the PostgreSQL server. */
export type Environment = Readonly<{ folder: string; mailPort: number; cluster: string | undefined }>

export type Contestant = Readonly<{
  name: string
  group: Group
  works: readonly Workload[]
  /** Creates its data. The process listens on `PORT`. */
  prepare(arena: Environment): Promise<Prepared>
}>

/** `calls` may be called only while the process runs. */
export type Prepared = Readonly<{
  args: readonly string[]
  env: Readonly<Record<string, string>>
  calls(): Promise<Calls>
}>

const all: readonly Workload[] = ['protected-one', 'protected', 'exchange', 'link-request', 'link-verify', 'signup']
const reads: readonly Workload[] = ['protected-one', 'protected', 'exchange']

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
/** The shipped bundle. */
const CLI = fileOf('../dist/paylink-auth.js')

/** Path of the service's recorded answers. */
export const answersIn = (arena: Environment): string => join(arena.folder, 'answers.json')

// Creates a database and returns its DATABASE_URL.
async function newDatabase(arena: Environment, name: string, group: Group): Promise<string> {
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

// A bcrypt hash takes 60 ms, so all keys share one secret. The exchange still compares each.
async function bcrypted(): Promise<Filling['hash']> {
  const { hashSync } = await import('bcrypt')
  const hashed = hashSync(secretOf(0), 10)
  return () => hashed
}

/**
 * The shipped service in production mode.
 * @param idleUsers additional users with three keys each that no call uses
 */
function ours(
  name: string,
  group: Group,
  works: readonly Workload[],
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
        args: ['--max-semi-space-size=8', '--max-old-space-size=512', '--no-allocation-site-pretenuring', CLI, 'serve'],
        env,
        calls: async () => ownCalls(),
      }
    },
  }
}

/** A server in targets/ on the tables of the necessary work. */
function withTables(
  name: string,
  file: string,
  group: Group,
  works: readonly Workload[],
  usesBcrypt = false,
  settings: Readonly<Record<string, string>> = {},
): Contestant {
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
        ...settings,
      }
      const hash = usesBcrypt ? await bcrypted() : await sha256()
      await fillAt(url, { hash, secretOf: secret, idleUsers: 0 }, schema)
      return { args: [fileOf(`targets/${file}.ts`)], env, calls: async () => ownCalls(secret) }
    },
  }
}

/** A server in targets/ that creates its data on start and writes its calls to the file `CALLS`. */
function withOwnCalls(name: string, works: readonly Workload[]): Contestant {
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

/** In measuring order. The service comes first: the floor and the necessary work replay its answers. */
export const contestants: readonly Contestant[] = [
  ours('paylink-auth', 'embedded', all, OFF),
  floor,
  withTables('necessary', 'necessary', 'embedded', all),
  withTables('express', 'express', 'embedded', all),
  withTables('express-bcrypt', 'express', 'embedded', ['exchange', 'signup'], true),
  withOwnCalls('oidc-provider', reads),
  withOwnCalls('better-auth', [...reads, 'link-request', 'link-verify']),
  // The limit per key is counted, but set so high that the load never reaches it.
  ours('paylink-auth-as-shipped', 'embedded', reads, { RATE_LIMIT_EXCHANGE_KEY: '100000000/1m' }),
  ours('paylink-auth-million', 'embedded', ['protected', 'exchange'], OFF, 1_000_000),
  ours('paylink-auth-postgres', 'PostgreSQL', reads, OFF),
  withTables('necessary-postgres', 'necessary', 'PostgreSQL', reads),
  withTables('express-postgres', 'express', 'PostgreSQL', reads),
]

/** The necessary work that never syncs: the reference for slow disks. */
export const unsynced = withTables('necessary-unsynced', 'necessary', 'embedded', all, false, { SYNCHRONOUS: 'OFF' })

/** The contestant that the others of a group are compared with. */
export const baselineOf = (group: Group): string => (group === 'embedded' ? 'necessary' : 'necessary-postgres')
