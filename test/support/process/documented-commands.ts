/** Pastes the commands of a documentation page into a shell, block by block, and reads what they print. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const PATH = process.env['PATH'] ?? ''
const root = join(import.meta.dirname, '../../..')

/** The service's address as the pages write it. */
export const DOCUMENTED_ORIGIN = 'http://localhost:3000'

/** Why the commands cannot run here, or false. */
export function missingPrograms(): string | false {
  try {
    for (const program of ['curl', 'sed', 'bash']) execFileSync(program, ['--version'])
    return false
  } catch {
    return 'curl, sed or bash is not installed'
  }
}

/** Names the running service where the page names its own; the local stand-in for Google is at the IP address. */
const atOrigin = (text: string, origin: string): string =>
  text.replaceAll(DOCUMENTED_ORIGIN, origin).replaceAll('127.0.0.1:3000', `127.0.0.1:${new URL(origin).port}`)

export type Block = Readonly<{ page: string; line: number; language: string; code: string }>

/** @param page path from the root of the repository */
export function blocksOf(page: string): Block[] {
  const markdown = readFileSync(join(root, page), 'utf8')
  return [...markdown.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(({ index, 1: language = '', 2: code = '' }) => ({
    page,
    line: markdown.slice(0, index).split('\n').length,
    language,
    code,
  }))
}

/** The output of a page's commands, by block. */
export type Pasted = readonly Readonly<{ block: Block; output: string }>[]

/**
 * Pastes the bash blocks into one shell.
 * @param origin of the running service: replaces the value in the line `BASE=…`, the only edit besides the address
 * @param email replaces the address that accounts are made for, since every account has its own
 */
export async function runBlocks(blocks: readonly Block[], origin: string, email: string): Promise<Pasted> {
  const commands = blocks.filter(({ language }) => language === 'bash')
  const shell = spawn('bash', ['--norc', '-s'], { env: { PATH } })
  const errors = shell.stderr.setEncoding('utf8').toArray()
  for (const { code } of commands) {
    const command = code.replace(`BASE=${DOCUMENTED_ORIGIN}`, `BASE=${origin}`).replaceAll('you@example.com', email)
    shell.stdin.write(`${command}\nprintf '\\n%s\\0' $?\n`)
  }
  shell.stdin.end()
  const written = (await shell.stdout.setEncoding('utf8').toArray()).join('').split('\0').slice(0, -1)
  assert.equal((await errors).join(''), '')
  assert.equal(written.length, commands.length)
  return written.map((text, index) => {
    const block = commands[index] ?? assert.fail()
    const [, output = '', status] = /^(.*)\n(\d+)$/s.exec(text) ?? []
    assert.equal(status, '0', `${block.page}:${block.line} fails: ${output}`)
    return { block, output }
  })
}

/** Values that differ from run to run. */
const volatile: readonly Readonly<{ pattern: RegExp; isSameThroughout: boolean }>[] = [
  { pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, isSameThroughout: true },
  { pattern: /^plk_[0-9A-Za-z]{22}$/, isSameThroughout: true },
  { pattern: /^pls_[0-9A-Za-z]{49}$/, isSameThroughout: true },
  { pattern: /^eyJ[\w-]+(…|\.[\w-]+\.[\w-]+)$/, isSameThroughout: false },
  { pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, isSameThroughout: false },
]
const VOLATILE_PART =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|pl[ks]_[0-9A-Za-z]+|eyJ[\w-]+(?:…|\.[\w-]+\.[\w-]+)|\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** Languages of blocks that show the answer to the command above. */
export const answers: ReadonlySet<string> = new Set(['json', 'http', 'text'])

/** Asserts that every command followed by an answer printed that answer; returns the number of comparisons. */
export function assertAsShown(blocks: readonly Block[], pasted: Pasted, origin: string, email: string): number {
  const given = new Map<string, string>()
  let count = 0
  for (const { block, output } of pasted) {
    const shown = blocks[blocks.indexOf(block) + 1]
    if (shown === undefined || !answers.has(shown.language)) continue
    count++
    const expected = atOrigin(shown.code, origin).replaceAll('you@example.com', email)
    const at = `${shown.page}:${shown.line}`
    if (shown.language === 'text') assert.equal(output.trimEnd(), expected.trimEnd(), at)
    else if (shown.language === 'json') assertSame(parse(output, at), parse(expected, at), at, given)
    else assertSameAnswer(output, expected, at, given)
  }
  return count
}

/** @param ids maps ids of the page to actual ones, and is added to */
export function assertBodyAsShown(actual: unknown, shown: Block, origin: string, ids: Map<string, string>): void {
  const at = `${shown.page}:${shown.line}`
  const text = shown.language === 'http' ? (shown.code.split('\n\n')[1] ?? '') : shown.code
  if (text === '') assert.equal(actual ?? null, null, at)
  else assertSame(actual, parse(atOrigin(text, origin), at), at, ids)
}

/**
 * The page with the answers that its commands got: of an answer's header fields, those that it shows. Ids and times of
 * answers that are otherwise as shown stay.
 */
export function withAnswers(page: string, blocks: readonly Block[], pasted: Pasted, origin: string): string {
  const shownFor = new Map<string, string>()
  const changes = pasted.flatMap(({ block, output }) => {
    const shown = blocks[blocks.indexOf(block) + 1]
    if (shown === undefined || !answers.has(shown.language)) return []
    const answer = toDocumented(output, shown)
      .replaceAll(`:${new URL(origin).port}`, ':3000')
      .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJIUzI1NiIs…')
    const [now, was] = [withoutChance(answer), withoutChance(shown.code.trimEnd())]
    if (masked(now) !== masked(was))
      return [{ shown, answer: answer.replaceAll(VOLATILE_PART, (part) => shownFor.get(part) ?? part) }]
    const parts = was.match(VOLATILE_PART) ?? []
    for (const [index, part] of (now.match(VOLATILE_PART) ?? []).entries()) shownFor.set(part, parts[index] ?? part)
    return []
  })
  const lines = readFileSync(join(root, page), 'utf8').split('\n')
  // From the end, so that the lines above keep their numbers.
  for (const { shown, answer } of changes.toReversed())
    lines.splice(shown.line, shown.code.split('\n').length - 1, ...answer.split('\n'))
  return lines.join('\n')
}

function toDocumented(output: string, { language, code }: Block): string {
  if (language === 'text') return output.trimEnd()
  if (language === 'json') return layOut(JSON.parse(output))
  const [head = '', body = ''] = output.replaceAll('\r', '').split(/\n\n(.*)/s)
  const nameOf = (line: string) => line.split(':')[0]
  const names = new Set(code.split('\n').map(nameOf))
  const fields = head.split('\n').filter((line, index) => index === 0 || names.has(nameOf(line)))
  return [...fields, ...(body === '' ? [] : ['', layOut(JSON.parse(body))])].join('\n')
}

/** As JSON, with inner values of less than 100 characters on one line. */
function layOut(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ')
  if (typeof value !== 'object' || value === null || (indent !== '' && line.length < 100)) return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((each) => layOut(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${layOut(each, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return parts.length === 0 ? `${open}${close}` : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
}

function assertSameAnswer(output: string, expected: string, at: string, given: Map<string, string>): void {
  const [head = '', body = ''] = output.replaceAll('\r', '').split(/\n\n(.*)/s)
  const [shownHead = '', shownBody = ''] = expected.trimEnd().split(/\n\n(.*)/s)
  const [status, ...fields] = shownHead.split('\n')
  assert.equal(head.split('\n')[0], status, `${at}: ${output}`)
  const actual = new Set(head.split('\n').map(masked))
  for (const field of fields) assert.ok(actual.has(masked(field)), `${at}: no ${field} in ${head}`)
  if (shownBody === '') assert.equal(body, '', at)
  else assertSame(parse(body, at), parse(shownBody, at), at, given)
}

// Maps each documented id to the actual one, consistently over the page.
function assertSame(actual: unknown, expected: unknown, at: string, given: Map<string, string>): void {
  const textOf = (value: unknown) => withoutChance(JSON.stringify(sorted(value), null, 1))
  const [left, right] = [textOf(actual), textOf(expected)]
  assert.equal(masked(left), masked(right), `${at}: the answer was ${JSON.stringify(actual)}`)
  const [answered, shown] = [left.match(VOLATILE_PART) ?? [], right.match(VOLATILE_PART) ?? []]
  shown.forEach((text, index) => {
    if (!volatile.some(({ pattern, isSameThroughout }) => isSameThroughout && pattern.test(text))) return
    assert.equal(
      given.get(text) ?? answered[index],
      answered[index],
      `${at}: ${text} stands for another value earlier on the page`,
    )
    given.set(text, answered[index] ?? '')
  })
}

// A cursor is opaque, and made of times and ids. The uses of a key are written within a minute.
const withoutChance = (json: string): string =>
  json
    .replaceAll(/(?<="nextCursor": )".+"/g, '<cursor>')
    .replaceAll(/(?<="lastUsedAt": )(?:null|".+")/g, '<null or a time>')
    .replaceAll(/(?<="lastUsedNetwork": )(?:null|".+")/g, '<null or a network>')
    .replaceAll(/(?<="days": )\[[^\]]*\]/g, '<days>')

const masked = (text: string): string => text.replaceAll(VOLATILE_PART, kindOf)

function kindOf(text: string): string {
  const kind = volatile.findIndex(({ pattern }) => pattern.test(text))
  return kind < 0 ? text : `<${kind}>`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  )
}

function parse(text: string, at: string): unknown {
  assert.doesNotThrow(() => JSON.parse(text), `${at}: not JSON: ${text}`)
  return JSON.parse(text)
}
