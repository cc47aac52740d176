/** Import rules: the arrows of ARCHITECTURE.md, and packages restricted to one file. */
import type { SourceFile } from './source-code.ts'

const storage = ['lib', 'config', 'errors', 'database']
const rules = [...storage, 'domain']

/** Parts that each part may import, besides itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  errors: [],
  config: ['lib'],
  database: ['lib', 'config'],
  domain: storage,
  mail: rules,
  restore: rules,
  http: ['lib', 'config', 'errors', 'domain'],
  // Response shapes shared by several folders of endpoints.
  'api-answers': [...rules, 'http'],
  api: [...rules, 'http', 'api-answers'],
  dev: ['lib', 'config', 'errors', 'mail', 'http'],
  core: rules,
  runtime: [...rules, 'mail', 'http', 'core'],
  app: [...rules, 'mail', 'http', 'api'],
  main: [...rules, 'mail', 'http', 'dev', 'app', 'core', 'runtime'],
  cli: [...rules, 'mail', 'restore', 'core'],
  scripts: [...rules, 'http', 'app', 'runtime', 'web'],
  test: [
    ...rules,
    'mail',
    'restore',
    'http',
    'api-answers',
    'api',
    'dev',
    'app',
    'core',
    'runtime',
    'scripts',
    'sdk',
    'api-types',
    'web',
  ],
  bench: [...rules, 'http', 'runtime', 'test'],
  'api-types': [],
  sdk: ['api-types'],
  web: ['api-types'],
}

const topFiles: Readonly<Record<string, string>> = {
  'src/errors.ts': 'errors',
  'src/core.ts': 'core',
  'src/runtime.ts': 'runtime',
  'src/app.ts': 'app',
  'src/main.ts': 'main',
}

/** Generated from openapi.json for the client and the web app; types only. */
const API_TYPES = 'sdk/src/generated/openapi.ts'

/** Only `serve` loads the server, on demand. */
const LOADS_SERVER = 'cli/commands.ts'

/** Parts that must not import HTTP packages, not even their types. */
const withoutHttp = new Set([
  'lib',
  'config',
  'errors',
  'database',
  'domain',
  'mail',
  'restore',
  'core',
  'runtime',
  'cli',
])
const HTTP_PACKAGES = /^(fastify|@fastify\/.*|https?|http2|negotiator|cookie)$/

/** Packages that only one file of the service may import; null: none may. */
const onlyPlace: Readonly<Record<string, string | null>> = {
  uuid: 'src/lib/random.ts',
  timers: 'src/lib/clock.ts',
  'timers/promises': 'src/lib/clock.ts',
  process: null,
  child_process: null,
  vm: null,
  module: null,
}

export function importProblems(file: SourceFile, isEndpoint: (path: string) => boolean): string[] {
  const own = partOf(file.path)
  if (!(kindOf(own) in mayImport)) return ['has no import rule: add its part to scripts/check-imports.ts']
  return file.imports.flatMap(({ file: target, package: name, isTypeOnly }) => {
    if (target !== undefined) return arrowProblems(file.path, target, isEndpoint)
    return name === undefined
      ? ['imports a module whose name is computed at run time']
      : packageProblems(file.path, name.replace(/^node:/, ''), isTypeOnly)
  })
}

function packageProblems(path: string, name: string, isTypeOnly: boolean): string[] {
  // The client runs without Node, and has one dependency (docs/decisions/0020).
  if (path.startsWith('sdk/src/') && !isTypeOnly && name !== 'openapi-fetch')
    return [`imports ${name}: the client may only depend on openapi-fetch`]
  const part = partOf(path)
  if (withoutHttp.has(part) && HTTP_PACKAGES.test(name)) return [`imports ${name}: ${part} must not depend on HTTP`]
  const place = onlyPlace[name]
  if (place === undefined || place === path || !/^(src|cli)\//.test(path)) return []
  return [`imports ${name}: ${place === null ? 'no file' : `only ${place}`} may`]
}

function arrowProblems(path: string, target: string, isEndpoint: (path: string) => boolean): string[] {
  const [own, other] = [partOf(path), partOf(target)]
  if (path === LOADS_SERVER && other === 'main') return []
  const isAllowed = own === other || mayImport[kindOf(own)]?.includes(kindOf(other))
  if (!isAllowed) return [`imports ${target}: ${own} may not import ${other}`]
  return kindOf(own) === 'api' && isEndpoint(target) ? [`imports the endpoint ${target}`] : []
}

// Each folder of endpoints is a part; all of them are of kind `api`.
function partOf(path: string): string {
  if (path === API_TYPES) return 'api-types'
  const [top = '', second = '', third = ''] = path.split('/')
  if (top !== 'src') return top
  if (second === 'api') return third.endsWith('.ts') ? 'api-answers' : `api/${third}`
  return topFiles[path] ?? second.replace(/\.ts$/, '')
}

function kindOf(part: string): string {
  return part.replace(/\/.*/, '')
}
