/** The settings of a command: where they come from, and which database they name. */
import { resolve } from 'node:path'
import type { EnvironmentSource } from '../../src/config/environment-file.ts'
import type { DatabaseLocation } from '../../src/config/parsers.ts'
import { readConfig, readEnvironmentFile } from '../../src/config/read-config.ts'
import type { Config } from '../../src/config/settings.ts'
import { MovedDatabaseError } from '../../src/database/moved.ts'
import { isWatched, writeErrorLine } from '../../src/lib/text/terminal.ts'

export type DatabaseAccess = 'reads' | 'writes'

export type SettingsOptions = Readonly<{ 'env-file'?: string; 'even-though-moved'?: boolean }>

type Session = Readonly<{ access: DatabaseAccess; source: EnvironmentSource; evenThoughMoved: boolean }>

// One command runs in a process, and the environment is the process's too.
let prepared: Session | undefined

function session(): Session {
  if (prepared === undefined) throw new Error('prepareSettings was not called')
  return prepared
}

/** Call it once, before the command reads a setting. @throws {ConfigError} */
export function prepareSettings(access: DatabaseAccess, options: SettingsOptions): void {
  const source = readEnvironmentFile(options['env-file'])
  prepared = { access, source, evenThoughMoved: options['even-though-moved'] === true }
}

/** Reads the settings and names their database, the first line of every command that opens it. */
export function readSettings(): Config {
  const config = readConfig()
  announce(`Database: ${describeDatabase(config.database)}`)
  for (const warning of config.warnings) writeErrorLine(`Warning: ${warning}`)
  return config
}

/** On standard error, because standard output may be JSON; a command that only reads names it on a terminal only. */
export function announce(databases: string): void {
  if (session().access === 'reads' && !isWatched()) return
  writeErrorLine({ style: 'dim', text: `${databases}. Settings: ${describeSource()}.` })
}

/** Without password. */
export function describeDatabase(location: DatabaseLocation): string {
  if (location.kind === 'sqlite') return resolve(location.path)
  const url = new URL(location.url)
  const host = url.searchParams.get('host')
  url.password = ''
  url.search = host === null ? '' : `?host=${host}`
  return url.href
}

export function describeSource(): string {
  const { file, replaced } = session().source
  if (file === undefined) return 'the environment'
  return replaced.length === 0 ? file : `${file}, except ${replaced.join(', ')} from the environment`
}

export const isEvenThoughMoved = (): boolean => session().evenThoughMoved

/** Warns where the command only reads. @throws {MovedDatabaseError} where it writes, unless told otherwise */
export function checkMoved(isMoved: boolean): void {
  if (!isMoved) return
  const error = new MovedDatabaseError()
  const { access, evenThoughMoved } = session()
  if (access === 'writes' && !evenThoughMoved) throw error
  writeErrorLine(`Warning: ${error.what}`)
}
