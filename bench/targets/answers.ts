/** Recorded answers of the service, for targets that send the same bytes. */
import { readFileSync } from 'node:fs'

/** `headers` alternates names and values, as `writeHead` takes them. */
export type RecordedAnswer = Readonly<{ status: number; headers: string[]; body: string }>

/** @param path relative to the base URL */
export function answerOf(path: string): RecordedAnswer {
  const answers = JSON.parse(readFileSync(process.env['ANSWERS'] ?? '', 'utf8')) as Record<string, RecordedAnswer>
  const answer = answers[`/api/v1/${path}`]
  if (answer === undefined) throw new Error(`no recorded answer for ${path}`)
  return answer
}
