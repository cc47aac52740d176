/** Who may import whom: the arrows of ARCHITECTURE.md, and what only one place may import. */
import type { SourceFile } from './source-code.ts'

const leafFiles = new Set(['src/config/settings.ts', 'src/http/deps.ts', 'src/errors.ts', 'src/config/rate-limit-settings.ts'])

const plumbing = ['leaf', 'lib', 'database']
const insides = [...plumbing, 'accounts', 'mail', 'http', 'features', 'restore', 'dev', 'load-config']

/** What the files of each part may import, besides files of the same part. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  database: ['lib'],
  leaf: ['lib'],
  'load-config': ['leaf', 'lib'],
  http: ['leaf', 'lib'],
  mail: plumbing,
  accounts: plumbing,
  restore: [...plumbing, 'accounts', 'mail'],
  features: [...plumbing, 'accounts', 'mail', 'http'],
  dev: ['leaf', 'lib', 'http', 'mail'],
  version: ['lib'],
  app: [...insides, 'version'],
  upkeep: [...insides],
  main: [...insides, 'app', 'upkeep'],
  cli: ['main', 'version', 'load-config', 'leaf', 'features', 'accounts', 'restore', 'database', 'lib'],
  scripts: [...insides, 'app', 'version'],
  test: [...insides, 'app', 'upkeep', 'scripts', 'sdk', 'web'],
  bench: [...insides, 'version', 'test'],
  sdk: [],
  web: [],
}

/** `deps.ts` names what it hands out: types of any plumbing and of Google's client, and nothing that runs. */
const depsMayImport = new Set([...plumbing, 'accounts', 'mail', 'http', 'features/google'])

/** The one file that stands for a package everywhere in the service; null: no file may import it. */
const onlyPlace: Readonly<Record<string, string | null>> = {
  uuid: 'src/lib/random.ts',
  timers: 'src/lib/clock.ts',
  'timers/promises': 'src/lib/clock.ts',
  process: null,
  child_process: null,
  vm: null,
  module: null,
}

/** What a file imports and may not. */
export function importProblems(
  file: SourceFile,
  isEndpoint: (path: string) => boolean,
): string[] {
  const own = partOf(file.path)
  if (!(kindOf(own) in mayImport)) return ['belongs to no part of the tree that there is a rule for']
  return file.imports.flatMap(({ file: target, package: name, isTypeOnly }) => {
    if (target !== undefined) return arrowProblems(file.path, target, isTypeOnly, isEndpoint)
    return name === undefined
      ? ['imports what is known only when it runs']
      : packageProblems(file.path, name.replace(/^node:/, ''), isTypeOnly)
  })
}

function packageProblems(path: string, name: string, isTypeOnly: boolean): string[] {
  // It runs where there is no Node, and brings one package (docs/decisions/0020).
  if (path.startsWith('sdk/src/') && !isTypeOnly && name !== 'openapi-fetch') return [`imports ${name}: the client runs on openapi-fetch alone`]
  const place = onlyPlace[name]
  if (place === undefined || place === path || !/^(src|cli)\//.test(path)) return []
  return [`imports ${name}: ${place === null ? 'nobody' : `only ${place}`} may`]
}

function arrowProblems(
  path: string,
  target: string,
  isTypeOnly: boolean,
  isEndpoint: (path: string) => boolean,
): string[] {
  const [own, other] = [partOf(path), partOf(target)]
  if (path === 'src/http/deps.ts') {
    if (!isTypeOnly) return [`imports ${target}, and not only its types`]
    return depsMayImport.has(other) ? [] : [`imports ${target}`]
  }
  const isAllowed = own === other || mayImport[kindOf(own)]?.includes(kindOf(other))
  if (!isAllowed) return [`imports ${target}: ${own} may not import ${other}`]
  if (own === 'cli' && isEndpoint(target)) return [`imports ${target}: cli may not import endpoints`]
  return kindOf(own) === 'features' && isEndpoint(target) ? [`imports the endpoint ${target}`] : []
}

// Each feature is a part of its own, and all of them are of one kind.
function partOf(path: string): string {
  if (leafFiles.has(path)) return 'leaf'
  const [top = '', second = '', third = ''] = path.split('/')
  if (top !== 'src') return top
  return second === 'features' ? `features/${third}` : second.replace(/\.ts$/, '')
}

function kindOf(part: string): string {
  return part.replace(/\/.*/, '')
}
