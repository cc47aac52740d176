/**
 * Generates sdk/src/generated from openapi.json: types and their names, error classes and the list of public operations. `--check`
 * fails if a file carries another digest, and needs no packages of this folder. `--check-whole` generates everything
 * and fails if a file differs.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type Content = Readonly<
  Record<string, Readonly<{ schema?: Partial<Reference>; examples?: Readonly<Record<string, unknown>> }>>
>
type Reference = Readonly<{ $ref: string }>
type Response = Readonly<{ content?: Content }>
type Operation = Readonly<{
  security: readonly unknown[]
  responses: Readonly<Record<string, Response | Reference>>
}>
type Document = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: Readonly<{
    schemas: Readonly<Record<string, unknown>>
    responses: Readonly<Record<string, Response>>
    examples: Readonly<Record<string, Readonly<{ value: { error: { message: string } } }>>>
  }>
}>

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const read = (name: string) => readFileSync(path(name), 'utf8')

const text = read('../../openapi.json')
const document = JSON.parse(text) as Document
// Covers every input: a change of the generator makes the files stale too.
const digest = createHash('sha256')
  .update(text)
  .update(read('generate.ts'))
  .update(read('package-lock.json'))
  .digest('hex')
  .slice(0, 16)
const heading = (what: string) => `/** ${what} Made by \`npm run generate\` from openapi.json (${digest}). */\n`

const operations = Object.entries(document.paths).flatMap(([url, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${url}`, operation })),
)

function publicOperations(): string {
  const names = operations.filter(({ operation }) => operation.security.length === 0).map(({ name }) => name)
  return (
    heading('The operations that take no access token.') +
    '\n/** `METHOD /path` of each, the path as in openapi.json. */\n' +
    `export const publicOperations: ReadonlySet<string> = new Set([\n${names.map((name) => `  '${name}',\n`).join('')}])\n`
  )
}

function errorClasses(): string {
  const found = operations
    .flatMap(({ operation }) => Object.entries(operation.responses))
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, response]) => errorsIn(Number(status), response))
  const errors = [...new Map(found.map((error) => [error.code, error])).values()].toSorted(
    (a, b) => a.status - b.status || a.code.localeCompare(b.code),
  )
  return [
    heading('A class for each error code.'),
    "import { ApiError } from '../errors.ts'\n",
    ...errors.map(
      ({ status, code, message }) =>
        `\n/** ${status} \`${code}\`: ${message} */\nexport class ${className(code)} extends ApiError<'${code}'> {\n  static {\n    this.prototype.name = '${className(code)}'\n  }\n}\n`,
    ),
    '\n/** The classes by code. */\nexport const errorClasses = {\n',
    ...errors.map(({ code }) => `  ${code}: ${className(code)},\n`),
    '} as const\n',
  ].join('')
}

function errorsIn(status: number, response: Response | Reference): { status: number; code: string; message: string }[] {
  const { responses, examples } = document.components
  const shared = '$ref' in response ? responses[response.$ref.replace('#/components/responses/', '')] : response
  const json = shared?.content?.['application/json']
  if (json?.schema?.$ref === '#/components/schemas/OAuthError') return []
  return Object.keys(json?.examples ?? {}).map((code) => {
    const error = examples[code]?.value.error
    if (error === undefined) throw new Error(`openapi.json has no example of ${code}`)
    return { status, code, message: error.message }
  })
}

/** Errors are classes here: their types in the document would have the same names. */
function schemaTypes(): string {
  const names = Object.keys(document.components.schemas).filter((name) => !name.endsWith('Error'))
  return [
    heading('The named types of the document.'),
    "import type { components } from './openapi.ts'\n\ntype Schemas = components['schemas']\n",
    ...names.map((name) => `export type ${name} = Schemas['${name}']\n`),
  ].join('')
}

// EMAIL_TAKEN: EmailTakenError
function className(code: string): string {
  const words = code.toLowerCase().split('_')
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Error`
}

async function operationTypes(): Promise<string> {
  const { astToString, default: openapiTypes } = await import('openapi-typescript')
  return heading('The types of every operation.') + astToString(await openapiTypes(text))
}

function isOfThisDocument(name: string): boolean {
  try {
    return read(`../src/generated/${name}`).split('\n', 1)[0]?.includes(digest) ?? false
  } catch {
    return false
  }
}

const files = {
  'openapi.ts': operationTypes,
  'error-classes.ts': errorClasses,
  'public-operations.ts': publicOperations,
  'schemas.ts': schemaTypes,
}
let isStale = false
mkdirSync(path('../src/generated'), { recursive: true })
for (const [name, make] of Object.entries(files)) {
  if (process.argv.includes('--check')) {
    isStale ||= !isOfThisDocument(name)
  } else if (process.argv.includes('--check-whole')) {
    isStale ||= read(`../src/generated/${name}`) !== (await make())
  } else {
    writeFileSync(path(`../src/generated/${name}`), await make())
  }
}
if (isStale) {
  console.error('sdk/src/generated is stale. Run `npm run generate`.')
  process.exitCode = 1
}
