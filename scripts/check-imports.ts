/** Which folder may import which: the arrows of ARCHITECTURE.md, and packages that only one place may import. */
import type { SourceFile } from './source-code.ts'

const storage = ['lib', 'config', 'errors', 'database']
const rules = [...storage, 'domain']

/** What the files of each part may import, besides files of the same part. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  errors: [],
  config: ['lib'],
  database: ['lib', 'config'],
  domain: storage,
  mail: rules,
  restore: rules,
  http: ['lib', 'config', 'errors', 'domain'],
  // Forms of answers that several folders of endpoints have in common.
  'api-answers': [...rules, 'http'],
  api: [...rules, 'http', 'api-answers'],
  dev: ['lib', 'config', 'errors', 'mail', 'http'],
  runtime: [...rules, 'mail', 'http'],
  app: [...rules, 'mail', 'http', 'api'],
  main: [...rules, 'mail', 'http', 'dev', 'app', 'runtime'],
  cli: [...rules, 'mail', 'restore', 'runtime'],
  scripts: [...rules, 'http', 'app', 'runtime'],
  test: [
    ...rules,
    'mail',
    'restore',
    'http',
    'api-answers',
    'api',
    'dev',
    'app',
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

/** The files of `src` that are no folder's, by part. */
const topFiles: Readonly<Record<string, string>> = {
  'src/errors.ts': 'errors',
  'src/runtime.ts': 'runtime',
  'src/app.ts': 'app',
  'src/main.ts': 'main',
}

/** What is made from openapi.json, for the client and for the web app; nothing but types. */
const API_TYPES = 'sdk/src/generated/openapi.ts'

/** `serve` loads the server when it is asked for; no other command does. */
const LOADS_SERVER = 'cli/commands.ts'

/** Parts that know nothing of HTTP, not even its types. */
const withoutHttp = new Set(['lib', 'config', 'errors', 'database', 'domain', 'mail', 'restore', 'runtime', 'cli'])
const HTTP_PACKAGES = /^(fastify|@fastify\/.*|https?|http2|negotiator|cookie)$/

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
export function importProblems(file: SourceFile, isEndpoint: (path: string) => boolean): string[] {
  const own = partOf(file.path)
  if (!(kindOf(own) in mayImport)) return ['belongs to no part of the tree that there is a rule for']
  return file.imports.flatMap(({ file: target, package: name, isTypeOnly }) => {
    if (target !== undefined) return arrowProblems(file.path, target, isEndpoint)
    return name === undefined
      ? ['imports what is known only when it runs']
      : packageProblems(file.path, name.replace(/^node:/, ''), isTypeOnly)
  })
}

function packageProblems(path: string, name: string, isTypeOnly: boolean): string[] {
  // It runs where there is no Node, and brings one package (docs/decisions/0020).
  if (path.startsWith('sdk/src/') && !isTypeOnly && name !== 'openapi-fetch')
    return [`imports ${name}: the client runs on openapi-fetch alone`]
  const part = partOf(path)
  if (withoutHttp.has(part) && HTTP_PACKAGES.test(name)) return [`imports ${name}: ${part} knows no HTTP`]
  const place = onlyPlace[name]
  if (place === undefined || place === path || !/^(src|cli)\//.test(path)) return []
  return [`imports ${name}: ${place === null ? 'nobody' : `only ${place}`} may`]
}

function arrowProblems(path: string, target: string, isEndpoint: (path: string) => boolean): string[] {
  const [own, other] = [partOf(path), partOf(target)]
  if (path === LOADS_SERVER && other === 'main') return []
  const isAllowed = own === other || mayImport[kindOf(own)]?.includes(kindOf(other))
  if (!isAllowed) return [`imports ${target}: ${own} may not import ${other}`]
  return kindOf(own) === 'api' && isEndpoint(target) ? [`imports the endpoint ${target}`] : []
}

// Each folder of endpoints is a part of its own, and all of them are of one kind.
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
