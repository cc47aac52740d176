/** The examples of a documentation page for the client, as one program. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '../files.ts'
import { DOCUMENTED_ORIGIN } from './documented-commands.ts'
import type { Block } from './documented-commands.ts'

const SDK = pathToFileURL(join(import.meta.dirname, '../../../sdk/src/index.ts')).href
/** The call of an example; its answer has a name. */
const CALL = /^const (\w+) = await \w+\.(?:GET|POST|PATCH|DELETE)\(/m

const isExample = ({ language }: Block): boolean => language === 'typescript'

export const clientCalls = (blocks: readonly Block[]): Block[] =>
  blocks.filter((block) => isExample(block) && CALL.test(block.code))

/** Prints the answers as JSON, in the order of the calls. */
export function clientProgram(blocks: readonly Block[]): string {
  const names = clientCalls(blocks).map(({ code }) => `${CALL.exec(code)?.[1]}.data`)
  const code = blocks.filter(isExample).map((block) => block.code)
  // JSON has no undefined: an answer without a body becomes null.
  return `${code.join('')}console.log(JSON.stringify([${names.join(', ')}]))\n`
}

export async function runClientProgram(program: string, origin: string): Promise<unknown[]> {
  const folder = temporaryFolder()
  try {
    const file = join(folder.path, 'examples.ts')
    writeFileSync(file, program.replace('@paylink-auth/client', SDK).replace(DOCUMENTED_ORIGIN, origin))
    const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 120_000 })
    return JSON.parse(stdout) as unknown[]
  } finally {
    folder.remove()
  }
}
