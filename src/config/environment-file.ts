/** Settings from a file, for the service and for commands run by hand (docs/settings.md). */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { ConfigError } from './load-config.ts'
import { variables } from './variables.ts'

export type Environment = Record<string, string | undefined>

/** Read when no file is named: one in the working directory, or the one of deploy/paylink-auth.service. */
const DEFAULT_FILES = { local: '.env', unit: '/etc/paylink-auth.env' } as const

export type EnvironmentSource = Readonly<{
  /** The file that was read; undefined: only the environment. */
  file: string | undefined
  /** Settings of the file that a variable of the environment replaces by another value. */
  replaced: readonly string[]
}>

/**
 * Adds the variables of one file to `environment`, whose own variables win unless they are empty.
 * @param named must be readable and contain a setting
 * @throws {ConfigError} when the file cannot be used, or it is unclear which to use; `environment` is unchanged
 */
export function addEnvironmentFile(
  environment: Environment,
  named: string | undefined,
  defaults: Readonly<Record<keyof typeof DEFAULT_FILES, string>> = DEFAULT_FILES,
): EnvironmentSource {
  const found = named === undefined ? findDefault(environment, defaults) : { path: named, text: read(named) }
  if (found === undefined) return { file: undefined, replaced: [] }
  const given = parseEnv(found.text)
  if (named !== undefined && !Object.keys(given).some((name) => variables.has(name)))
    throw new ConfigError([`${named} contains no setting of this service`])
  const replaced: string[] = []
  for (const [name, value] of Object.entries(given)) {
    const winner = spellings(name).find((spelling) => environment[spelling])
    if (winner === undefined) environment[name] = value
    else if (variables.has(name) && environment[name] !== value) replaced.push(name)
  }
  return { file: found.path, replaced }
}

/** A secret is set by `NAME` or `NAME_FILE`. */
function spellings(name: string): string[] {
  const direct = name.replace(/_FILE$/, '')
  return variables.has(`${direct}_FILE`) ? [direct, `${direct}_FILE`] : [name]
}

type Found = Readonly<{ path: string; text: string }>

function findDefault(
  environment: Environment,
  { local, unit }: Readonly<Record<keyof typeof DEFAULT_FILES, string>>,
): Found | undefined {
  const localText = readIfExists(local)
  // systemd reads the unit's file as root, and its service may not: what it passes on is enough.
  const isGiven = [...variables].some((name) => name !== 'NODE_ENV' && environment[name])
  const unitText = readIfExists(unit, isGiven)
  if (localText !== undefined && unitText !== undefined)
    throw new ConfigError([`${local} and ${unit} both exist: name the one to use with --env-file`])
  if (localText !== undefined) return { path: local, text: localText }
  return unitText === undefined ? undefined : { path: unit, text: unitText }
}

function readIfExists(path: string, mayBeUnreadable = false): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || mayBeUnreadable) return undefined
    throw new ConfigError([
      `${path} exists but cannot be read (${code}): run the command as a user who can read it, or name another file with --env-file`,
    ])
  }
}

function read(path: string): string {
  const text = readIfExists(path)
  if (text === undefined) throw new ConfigError([`${path}, given with --env-file, does not exist`])
  return text
}
