import type { ParseArgsConfig } from 'node:util'
import type { BackupOptions } from './commands/backup.ts'
import type { CopyOptions } from './commands/copy-to-postgres.ts'
import type { DoctorOptions } from './commands/doctor.ts'
import type { KeyOptions } from './commands/keys.ts'
import type { RestoreOptions } from './commands/restore.ts'
import type { DatabaseAccess } from './commands/settings.ts'
import type { UserOptions } from './commands/users.ts'

/** Of all commands; each accepts its own only. */
export type CommandOptions = UserOptions & KeyOptions & CopyOptions & BackupOptions & RestoreOptions & DoctorOptions

export type Command = Readonly<{
  /** The arguments in the usage line. */
  usage: string
  summary: string
  more?: readonly string[]
  options?: NonNullable<ParseArgsConfig['options']>
  /** Minimum and maximum number of arguments. */
  takes: readonly [number, number]
  /** What it does with the database of the settings; `offline`: it reads no settings. */
  database: DatabaseAccess | 'offline'
  /** Imports its module on demand: help and offline commands do not load the service. @returns the exit code */
  run(options: CommandOptions, args: readonly string[]): Promise<number | void>
}>
