/** Moves the schemas and shared parameters of an OpenAPI document to its components, under names for generators. */
import { isDeepStrictEqual } from 'node:util'
import { FORM_TYPE } from '../src/http/server/form-body.ts'
import { PAGE_LIMIT } from '../src/http/pagination.ts'
import { operationsOf, pascalCase, sorted } from './openapi-model.ts'
import type { Document, Parameter, Response, Schema } from './openapi-model.ts'

type Named = Map<string, Schema>

/**
 * Names every object schema, and every other one that has a `title`: by its title, else by its operation (`…Request`,
 * `…Result`), else by its parent and its field. Call it before references are added.
 * @throws if two different schemas get the same name
 */
export function nameSchemas(document: Document): void {
  const named: Named = new Map()
  for (const { operationId, parameters = [], requestBody, responses } of operationsOf(document)) {
    const name = pascalCase(operationId)
    for (const parameter of parameters as Parameter[])
      parameter.schema = referenceTo(named, asRead(parameter), parameter.name)
    nameBody(named, requestBody, `${name}Request`)
    for (const response of Object.values(responses)) nameBody(named, response as Response, `${name}Result`)
  }
  document.components.schemas = sorted(named)
}

function nameBody(named: Named, body: Pick<Response, 'content'> | undefined, name: string): void {
  const content = body?.content
  const json = content?.['application/json'] ?? content?.[FORM_TYPE]
  // The plugin repeats the response's description in its schema.
  if (json?.schema) json.schema = referenceTo(named, withoutDescription(json.schema), name)
}

/** Moves parameters that several operations share to the components. */
export function shareParameters(document: Document): void {
  const operations = operationsOf(document)
  const all = operations.flatMap(({ parameters = [] }) => parameters as Parameter[])
  const shared: Record<string, Parameter> = {}
  for (const [parameter, another] of Map.groupBy(all, (each) => JSON.stringify(each)).values()) {
    // If the name is taken, the second parameter stays in its operations.
    if (parameter && another) shared[pascalCase(parameter.name)] ??= parameter
  }
  for (const { parameters = [] } of operations) {
    for (const [index, parameter] of (parameters as Parameter[]).entries()) {
      const name = pascalCase(parameter.name)
      if (JSON.stringify(shared[name]) === JSON.stringify(parameter))
        parameters[index] = { $ref: `#/components/parameters/${name}` }
    }
  }
  document.components.parameters = shared
}

// The server validates a query as text. What a client passes is a number or a boolean.
function asRead({ in: place, schema }: Parameter): Schema {
  const { pattern, enum: values, ...rest } = schema
  if (place === 'query' && pattern === PAGE_LIMIT) return { ...rest, type: 'integer', minimum: 1, maximum: 100 }
  if (place === 'query' && values?.join() === 'true,false') return { ...rest, type: 'boolean' }
  return schema
}

/** @returns a reference if the schema gets a name, with its inner schemas named too */
function referenceTo(named: Named, { title, ...schema }: Schema, name: string): Schema {
  const own = title ?? name
  const { properties, items, anyOf } = schema
  if (schema.enum?.every((value) => typeof value === 'string')) schema.type = 'string'
  if (properties) {
    const fields = Object.entries(properties)
    schema.properties = Object.fromEntries(
      fields.map(([field, inner]) => [field, referenceTo(named, inner, own + pascalCase(field))]),
    )
  }
  if (items) schema.items = referenceTo(named, items, own.replace(/s$/, ''))
  if (anyOf) schema.anyOf = anyOf.map((each) => referenceTo(named, each, own))
  return title === undefined && properties === undefined ? schema : register(named, own, schema)
}

// The first use describes the component. A use with other words keeps them beside its reference.
function register(named: Named, name: string, schema: Schema): Schema {
  const known = named.get(name) ?? schema
  if (!isDeepStrictEqual(withoutDescription(known), withoutDescription(schema)))
    throw new Error(`Two schemas are named ${name}. Give one of them another title.`)
  named.set(name, known)
  const { description } = schema
  const isSame = description === undefined || description === known.description
  return { $ref: `#/components/schemas/${name}`, ...(isSame ? {} : { description }) }
}

const withoutDescription = ({ description: _description, ...schema }: Schema): Schema => schema
