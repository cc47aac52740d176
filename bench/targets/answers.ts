/** The answers of the service as they were recorded, for those that answer the same bytes. */
import { readFileSync } from 'node:fs'

/** An answer; of headers, names and values in turn, as `writeHead` takes them. */
export type RecordedAnswer = Readonly<{ status: number; headers: string[]; body: string }>

/** The answer to a request for a path below the base URL. */
export function answerOf(path: string): RecordedAnswer {
  const answers = JSON.parse(readFileSync(process.env['ANSWERS'] ?? '', 'utf8')) as Record<string, RecordedAnswer>
  const answer = answers[`/api/v1/${path}`]
  if (answer === undefined) throw new Error(`no answer is recorded of ${path}`)
  return answer
}
