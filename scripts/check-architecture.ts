/** The rules of CONTRIBUTING.md, as functions over source texts, so that tests can plant violations. */
import { importProblems } from './check-imports.ts'
import { readSource } from './source-code.ts'
import type { SourceFile } from './source-code.ts'

const MAX_LINES = 300

/**
 * All violations in these files, as lines "path: problem".
 * @param texts the whole tree, by path from the repository's root, because a rule may concern several files
 */
export function problemsIn(texts: ReadonlyMap<string, string>): string[] {
  const sources = [...texts]
    .filter(([path]) => /\.(ts|tsx|js)$/.test(path))
    .map(([path, text]) => readSource(path, text))
  const endpoints = new Set(sources.filter(isEndpoint).map(({ path }) => path))

  return [
    ...[...texts].flatMap(([path, text]) =>
      about(path, [...nameProblems(path), ...sizeProblems(path, text), ...syncProblems(text)]),
    ),
    ...sources.flatMap((file) =>
      about(file.path, [
        ...importProblems(file, (path) => endpoints.has(path)),
        ...globalProblems(file),
        ...queryProblems(file),
        ...endpointProblems(file, endpoints.has(file.path), texts),
      ]),
    ),
    ...tableProblems(sources),
  ]
}

function about(path: string, problems: readonly string[]): string[] {
  return problems.map((problem) => `${path}: ${problem}`)
}

const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/
const EMPTY_NAMES = /^(utils?|helpers?|managers?|services?|types)$/

function nameProblems(path: string): string[] {
  // A test's name may add its topic: `id-token.time.test.ts`. So may a file next to a page of the web app:
  // `sign-in.words.ts`.
  const bare = path.replace(/(\.[a-z-]+)?\.test\.ts$|^(web\/.*?)(\.[a-z-]+)?\.\w+$|\.\w+$/, '$2')
  const names = bare.split('/')
  const problems: string[] = []
  if (!names.every((name) => KEBAB_CASE.test(name))) problems.push('its name is not in kebab-case')
  // This support file stands for the service itself.
  if (path === 'test/support/service.ts') return problems
  const empty = names.flatMap((name) => name.split('-')).find((word) => EMPTY_NAMES.test(word))
  if (empty !== undefined) problems.push(`"${empty}" in its name is meaningless`)
  return problems
}

// Tests follow their subject, and style sheets take a line per declaration.
function sizeProblems(path: string, text: string): string[] {
  if (/\.(test\.ts|css)$/.test(path)) return []
  const lines = text.trimEnd().split('\n').length
  return lines > MAX_LINES ? [`has ${lines} lines, more than ${MAX_LINES}: split it by subject`] : []
}

// Without syncs a power cut corrupts the file.
function syncProblems(text: string): string[] {
  return /\bsynchronous\s*=\s*(off|0)\b/i.test(text) ? ['opens a database without syncs'] : []
}

/**
 * Globals that the service may only use through injected dependencies. oxlint covers `console`, `eval` and `new
 * Function`.
 */
const globals: readonly Readonly<{ what: string; pattern: RegExp; places: readonly string[] }>[] = [
  {
    what: 'the clock or a timer',
    // `new Date(ms)` does not read the clock; `new Date()` and `Date()` do.
    pattern: anyOf(
      /\bDate\.now\b/,
      /\bnew Date\b(?!\s*\(\s*[^\s)])/,
      /(?<!new\s+)\bDate\s*\(/,
      /\bperformance\b|\bhrtime\b/,
      /\bset(Timeout|Interval|Immediate)\b/,
      /\bAbortSignal\.timeout\b/,
    ),
    places: ['src/lib/clock.ts'],
  },
  {
    what: 'randomness',
    pattern: anyOf(/\bMath\.random\b/, /\brandom(Bytes|UUID|Int|Fill|FillSync)\b/, /\bgetRandomValues\b/),
    places: ['src/lib/random.ts'],
  },
  {
    what: 'the environment',
    pattern: anyOf(/\bprocess\.(env|loadEnvFile)\b/, /\bprocess\s*\[|=\s*process\b(?!\.)/, /\bimport\.meta\.env\b/),
    places: ['src/config/read-config.ts', 'cli/paylink-auth.ts'],
  },
]

function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'))
}

function globalProblems(file: SourceFile): string[] {
  if (!/^(src|cli)\/.*\.ts$/.test(file.path)) return []
  const { path, code } = file
  return globals
    .filter(({ pattern, places }) => pattern.test(code) && !places.includes(path))
    .map(({ what, places }) => `uses ${what}: only ${places.join(' and ')} may`)
}

const QUERY = new RegExp(
  anyOf(
    /\.(selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto|executeQuery|kysely)\b/,
    /\bsql\s*(<[^>]*>\s*)?[`.]/,
  ),
  'g',
)

function queryProblems(file: SourceFile): string[] {
  const { path } = file
  const mayQuery = isStore(path) || /^src\/(database|restore)\//.test(path) || !/^(src|cli)\//.test(path)
  if (mayQuery) return []
  return [...file.code.matchAll(QUERY)].map(([word]) => `builds a query (${word.replace(/^\./, '')}): only stores may`)
}

const isStore = (path: string) => /^src\/.*-store\.ts$/.test(path)

// A long store is split by subject into files with its name as prefix: key-store, key-end-store. The shortest owns.
const isPartOf = (path: string, store: string) => path === store || path.startsWith(store.replace(/store\.ts$/, ''))

const NAMES_TABLE =
  /(?:\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bdeleteBatch\(\w+, \{ *(?:\n *)?table:)\s*/g

// A join may read another store's table. The four verbs decide which table a store owns.
function tableProblems(sources: readonly SourceFile[]): string[] {
  const storeByTable = new Map<string, string>()
  const problems: string[] = []
  const stores = sources.filter(({ path }) => isStore(path)).toSorted((a, b) => a.path.length - b.path.length)
  for (const { path, text, code } of stores) {
    for (const verb of code.matchAll(NAMES_TABLE)) {
      const [, table] = /^'(\w+)/.exec(text.slice(verb.index + verb[0].length)) ?? []
      if (table === undefined) {
        problems.push(`${path}: a query does not name its table`)
        continue
      }
      const store = storeByTable.get(table) ?? path
      storeByTable.set(table, store)
      if (!isPartOf(path, store) && !isPartOf(store, path))
        problems.push(`${path}: queries ${table}, the table of ${store}`)
    }
  }
  return [...new Set(problems)]
}

function isEndpoint(file: SourceFile): boolean {
  return file.path.startsWith('src/api/') && /\boperationId\b|:\s*Endpoint\s*=/.test(file.code)
}

function endpointProblems(file: SourceFile, isOne: boolean, texts: ReadonlyMap<string, string>): string[] {
  if (!isOne) return []
  const { path, text, code } = file
  const problems: string[] = []
  const operations = code.match(/\boperationId\b/g)?.length ?? 0
  if (operations !== 1) problems.push(`has ${operations} operations: one endpoint, one file`)
  const test = path.replace(/^src\/(.*)\.ts$/, 'test/$1.test.ts')
  if (!texts.has(test)) problems.push(`has no test ${test}`)

  const [, declared = ''] = /\berrors: \[([^\]]*)\]/.exec(text) ?? []
  for (const [, errorCode] of text.matchAll(/new ApiError\('(\w+)'/g)) {
    if (declared.includes(`'${errorCode}'`)) continue
    problems.push(`throws ${errorCode}, which its config does not declare`)
  }
  return problems
}
