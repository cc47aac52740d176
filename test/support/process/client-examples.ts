/** The examples of a documentation page for the client, as one program. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../files.ts'
import { DOCUMENTED_ORIGIN } from './documented-commands.ts'
import type { Block } from './documented-commands.ts'

/** Values that come from a mail or from Google, by their name in the examples. */
export type Outside = Readonly<Record<string, () => Promise<string>>>

const SDK = pathToFileURL(join(import.meta.dirname, '../../../sdk/src/index.ts')).href
const CALL = /^const (\w+) = await /

/** Examples that call the service: each once, in their first statement. */
export const clientCalls = (blocks: readonly Block[]): Block[] =>
  blocks.filter(({ language, code }) => language === 'typescript' && CALL.test(code))

/** The first `typescript` block has the imports and the set-up. */
export function clientProgram(blocks: readonly Block[], outside: readonly string[]): string {
  const [, imports = '', setUp = ''] =
    /^(import [^\n]*\n)(.*)$/s.exec(blocks.find(({ language }) => language === 'typescript')?.code ?? '') ?? []
  const missing = new Set(outside)
  const calls = clientCalls(blocks).map(({ code }) => {
    const needed = [...missing].filter((name) => new RegExp(`\\b${name}\\b`).test(code))
    for (const name of needed) missing.delete(name)
    const values = needed.map((name) => `const ${name} = await outside['${name}']!()\n`).join('')
    return `${values}${code}answers.push(${CALL.exec(code)?.[1]}.data)\n`
  })
  return `${imports}
export async function run(outside: Readonly<Record<string, () => Promise<string>>>): Promise<unknown[]> {
const answers: unknown[] = []
${setUp}${calls.join('')}return answers
}
`
}

/** The answers of the examples, in their order. */
export async function runClientProgram(program: string, origin: string, outside: Outside): Promise<unknown[]> {
  const folder = temporaryFolder()
  try {
    const file = join(folder.path, 'examples.ts')
    writeFileSync(file, program.replace('@paylink-auth/client', SDK).replace(DOCUMENTED_ORIGIN, origin))
    const { run } = (await import(pathToFileURL(file).href)) as { run(outside: Outside): Promise<unknown[]> }
    return await run(outside)
  } finally {
    folder.remove()
  }
}
