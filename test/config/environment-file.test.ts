import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { addEnvironmentFile } from '../../src/config/environment-file.ts'
import { ConfigError, loadConfig } from '../../src/config/load-config.ts'
import { temporaryFolder } from '../support/files.ts'

type Environment = Record<string, string | undefined>

const root = temporaryFolder()
after(() => root.remove())
let files = 0
const fileWith = (text: string): string => {
  const path = join(root.path, `${files++}.env`)
  writeFileSync(path, text)
  return path
}
const nowhere = () => join(root.path, `missing-${files++}`)

const refusedWith = (says: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ConfigError)
  assert.equal(error.exitCode, 78)
  assert.match(error.message, says)
  return true
}

describe('a named file', () => {
  const URL = 'postgres://paylink:p$1%26w@db.example.com/paylink?sslmode=verify-full&application_name=a'

  test('keeps & and $ in values, quoted or not, as the unit does', () => {
    for (const quote of ['', "'", '"']) {
      const environment: Environment = {}
      addEnvironmentFile(environment, fileWith(`# settings\nDATABASE_URL=${quote}${URL}${quote}\nPORT=4000\n`))
      assert.deepEqual(environment, { DATABASE_URL: URL, PORT: '4000' })
    }
  })

  test('is overridden by the environment, which is reported; an empty variable overrides nothing', () => {
    const environment: Environment = { PORT: '5000', HOST: '', LOG_LEVEL: 'warn', HOME: '/root' }
    const path = fileWith('PORT=4000\nHOST=127.0.0.2\nLOG_LEVEL=warn\nHOME=/nowhere\n')
    assert.deepEqual(addEnvironmentFile(environment, path), { file: path, replaced: ['PORT'] })
    assert.deepEqual(environment, { PORT: '5000', HOST: '127.0.0.2', LOG_LEVEL: 'warn', HOME: '/root' })
  })

  test('loses a secret to either form of it in the environment', () => {
    for (const [name, other] of [
      ['DATABASE_URL', 'DATABASE_URL_FILE'],
      ['DATABASE_URL_FILE', 'DATABASE_URL'],
    ] as const) {
      const environment: Environment = { [name]: 'ours' }
      const path = fileWith(`${other}=theirs\nPORT=4000\n`)
      assert.deepEqual(addEnvironmentFile(environment, path).replaced, [other])
      assert.deepEqual(environment, { [name]: 'ours', PORT: '4000' })
    }
  })

  test('is refused if it is missing, unreadable or has no setting', () => {
    const refused: [string, RegExp][] = [
      [nowhere(), /missing-\d+, given with --env-file, does not exist/],
      [root.path, /cannot be read \(EISDIR\)/],
      [fileWith('HOME=/root\n'), /contains no setting of this service/],
    ]
    for (const [path, says] of refused) {
      const environment = {}
      assert.throws(() => addEnvironmentFile(environment, path), refusedWith(says))
      assert.deepEqual(environment, {})
    }
  })
})

describe('without a named file', () => {
  let local: string
  let unit: string
  beforeEach(() => {
    local = nowhere()
    unit = nowhere()
  })
  const added = (environment: Environment = {}) => {
    const { file } = addEnvironmentFile(environment, undefined, { local, unit })
    return { file, environment }
  }

  test('.env or the unit’s file is read, whichever exists, and neither is required', () => {
    assert.deepEqual(added(), { file: undefined, environment: {} })
    unit = fileWith('PORT=4000\n')
    assert.deepEqual(added(), { file: unit, environment: { PORT: '4000' } })
    assert.deepEqual(added({ PORT: '5000' }), { file: unit, environment: { PORT: '5000' } })
    ;[local, unit] = [fileWith('PORT=4001\n'), nowhere()]
    assert.deepEqual(added(), { file: local, environment: { PORT: '4001' } })
  })

  test('a choice between both is refused', () => {
    local = fileWith('PORT=4001\n')
    unit = fileWith('PORT=4000\n')
    assert.throws(() => added(), refusedWith(/both exist: name the one to use with --env-file/))
  })

  test('an unreadable unit’s file is refused, except where its settings are in the environment, as under systemd', () => {
    unit = root.path
    assert.throws(() => added({ NODE_ENV: 'production', HOME: '/root' }), refusedWith(/cannot be read/))
    const environment = { PUBLIC_URL: 'https://auth.example.com' }
    assert.deepEqual(added(environment), { file: undefined, environment })
  })
})

test('the example file of the unit is read alike by systemd and Node: no value has a quote, $, # or backslash', () => {
  const path = join(import.meta.dirname, '../../deploy/paylink-auth.env')
  const values = readFileSync(path, 'utf8').match(/^[^#\n]*$/gm) ?? []
  for (const line of values) assert.match(line, /^([A-Z_]+=[^'"`$#\\]*)?$/)
  const environment: Environment = {}
  addEnvironmentFile(environment, path)
  assert.throws(
    () => loadConfig(environment, () => 'unused'),
    refusedWith(/^JWT_SECRET is required.*\nSMTP_URL is required/),
  )
})
