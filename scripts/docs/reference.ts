/** Renders openapi.json as the Markdown of the API reference: an overview, and a page per resource, which is a tag. */
import { errors } from '../../src/errors.ts'
import { bodyOf, callsOf, takesToken } from './document.ts'
import type { Answer, Call, Document, Headers, Schema } from './document.ts'
import { createSlugs } from './links.ts'
import { resolveReferences } from './resolve-references.ts'
import { clientCallOf, curlOf, sampleOf } from './samples.ts'
import { headerRows, parameterRow, rowsOf, table } from './schema-tables.ts'
import type { Row } from './schema-tables.ts'

/** A page whose links are relative to the Markdown file that it would be. */
export type ReferencePage = Readonly<{ source: string; title: string; markdown: string }>

const anchorOf = (call: Call): string => createSlugs()(call.operation.summary)
const whoMayCall = (call: Call): string => (takesToken(call) ? 'bearer' : 'public')
const fileOf = (tag: string): string => `api/${createSlugs()(tag)}.md`

/** @param origin of the service, in the samples */
export function referenceOf(document: Document, origin: string): readonly ReferencePage[] {
  const resolved = resolveReferences(document)
  const calls = callsOf(resolved)
  const resources = resolved.tags.map(({ name, description }) => ({
    name,
    description,
    calls: calls.filter(({ operation }) => operation.tags.includes(name)),
  }))
  const baseUrl = origin + (resolved.servers[0]?.url ?? '')
  return [
    { source: 'docs/api.md', title: 'Overview', markdown: overviewOf(resolved, resources) },
    ...resources.map(({ name, description, calls: own }) => ({
      source: `docs/${fileOf(name)}`,
      title: name,
      markdown: asText([
        `# ${name}`,
        `${description} [Overview of the API](../api.md).`,
        ...own.flatMap((call) => callText(call, calls, resolved.components.headers, baseUrl)),
      ]),
    })),
  ]
}

type Resource = Readonly<{ name: string; description: string; calls: readonly Call[] }>

function overviewOf({ info, servers, components }: Document, resources: readonly Resource[]): string {
  return asText([
    '# API reference',
    `Version ${info.version}. All paths are below \`${servers[0]?.url}\`. For tools: [openapi.json](/api/v1/openapi.json).`,
    'An operation that takes a **bearer** token needs `Authorization: Bearer <token>`; `X-Currency` sets its currency. [Every error](errors.md) has a cause and a remedy.',
    'Samples for curl expect an access token in `TOKEN`. Those for the [TypeScript client](../sdk/README.md) expect an API key in `PAYLINK_KEY_ID` and `PAYLINK_KEY_SECRET`, or, where a person must have signed in, the token of a sign-in in `PAYLINK_TOKEN`. A sign-in with Google starts in a browser, and so does its sample. Operations that take a form have none for the client: a library for OAuth calls them.',
    ...resources.flatMap(({ name, description, calls }) => [
      `## ${name}`,
      description,
      table(
        ['Call', 'What it does', 'Who'],
        calls.map((call) => [
          `\`${call.method} ${call.path}\``,
          `[${call.operation.summary}](${fileOf(name)}#${anchorOf(call)})`,
          whoMayCall(call),
        ]),
      ),
    ]),
    '## Conventions',
    info.description,
    '## Headers of answers',
    table(['Header', 'Meaning'], headerRows(components.headers, '')),
  ])
}

function callText(call: Call, calls: readonly Call[], shared: Headers, baseUrl: string): string[] {
  const { method, path, operation } = call
  const { summary, description, parameters = [], requestBody, responses } = operation
  const body = bodyOf(call).schema
  const beyond = operation['x-beyond-specification'] ? ' · beyond the specification' : ''
  const sample = sampleOf(call, calls)
  const bodyTitle = requestBody?.required === false ? 'Body, optional' : 'Body'
  return [
    `## ${summary}`,
    `\`${method} ${path}\` · ${whoMayCall(call)}${beyond} · [example](../examples.md#${anchorOf(call)})`,
    ...(description === undefined ? [] : [description]),
    ...block('bash', curlOf(call, sample, baseUrl)),
    ...(sample.isForm ? [] : block('ts', clientCallOf(call, sample, baseUrl))),
    ...fieldTable('Parameter', parameters.map(parameterRow)),
    ...fieldTable(bodyTitle, rowsOf(body, { required: 'required', optional: '' })),
    ...Object.entries(responses).flatMap(([status, answer]) =>
      Number(status) < 400 ? answerText(status, answer, shared) : [],
    ),
    `Errors: ${errorsOf(responses)
      .map(([status, code]) => `${status} [\`${code}\`](../errors.md${code in errors ? `#${code.toLowerCase()}` : ''})`)
      .join(', ')}.`,
  ]
}

function answerText(status: string, { description, content, headers = {} }: Answer, shared: Headers): string[] {
  const answer = content?.['application/json']
  // The shared ones are in the overview.
  const own = Object.entries(headers).filter(([name, header]) => header.description !== shared[name]?.description)
  const schema: Schema | undefined = answer?.schema
  const rows = [
    ...headerRows(Object.fromEntries(own), 'header'),
    ...rowsOf(schema, { required: '', optional: 'may be absent' }),
  ]
  const example = answer?.example
  return [
    `**${status}** ${description}`,
    ...fieldTable('Answer', rows),
    ...(example === undefined ? [] : block(`json ${status}`, JSON.stringify(example, null, 2))),
  ]
}

function errorsOf(responses: Readonly<Record<string, Answer>>): (readonly [status: string, code: string])[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const codes = Object.keys(content?.['application/json']?.examples ?? {})
    return Number(status) >= 400 ? codes.map((code) => [status, code] as const) : []
  })
}

const block = (info: string, code: string): string[] => [`\`\`\`${info}\n${code}\n\`\`\``]
const fieldTable = (what: string, rows: readonly Row[]): string[] =>
  rows.length === 0 ? [] : [table([what, 'Meaning'], rows)]
const asText = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`
