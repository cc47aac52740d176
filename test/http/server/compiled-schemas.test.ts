/** Compiles the schemas of all routes as the server does. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { compilersFactory } from '../../../src/http/server/compiled-schemas.ts'
import { startService } from '../../support/service.ts'

test('every schema of every endpoint compiles, which the start does not show, because each compiles at its first use', async () => {
  const answers: unknown[] = []
  const inputs: unknown[] = []
  const fields: string[] = []
  const service = await startService({}, (app) => {
    app.addHook('onRoute', ({ schema }) => {
      answers.push(...Object.values(schema?.response ?? {}))
      fields.push(...Object.keys((schema?.headers as { properties?: object } | undefined)?.properties ?? {}))
      inputs.push(...[schema?.body, schema?.querystring, schema?.params, schema?.headers].filter(Boolean))
    })
  })
  await service.close()
  assert.ok(answers.length > 40 && inputs.length > 30, `${answers.length} and ${inputs.length} schemas`)
  assert.ok(fields.length > 0)
  const serializer = compilersFactory.buildSerializer()
  const validator = compilersFactory.buildValidator()
  for (const schema of inputs) assert.equal(typeof validator({ schema })({}), 'boolean')
  for (const name of fields) assert.equal(name, name.toLowerCase(), 'header fields arrive in lower case')
  for (const schema of answers) {
    try {
      serializer({ schema })({})
    } catch (error) {
      assert.match(String(error), /is required!/, JSON.stringify(schema))
    }
  }
})
