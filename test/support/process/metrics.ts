/** The metrics endpoint, parsed as Prometheus parses it. */
import assert from 'node:assert/strict'
import { sendRaw } from '../wire/raw.ts'

export const METRICS_TOKEN = 'a-token-of-the-tests-0123456789abcdef'

export type Sample = Readonly<{ name: string; labels: Readonly<Record<string, string>>; value: number }>

export async function scrape(origin: string): Promise<Sample[]> {
  const answer = await sendRaw(origin, ['GET /metrics HTTP/1.1', `Authorization: Bearer ${METRICS_TOKEN}`])
  assert.equal(answer.status, 200, answer.text)
  return samplesIn(answer.text)
}

/** The samples of a text, of which every line must be a sample or a comment. */
export function samplesIn(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !/^# (HELP|TYPE) \w+ ./.test(line))
    .map((line) => {
      const [, name = '', , labels = '', value = ''] =
        /^([a-z_][a-z_\d]*)(\{(.*)\})? ([\d.e+-]+|\+Inf|Nan)$/.exec(line) ?? assert.fail(line)
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)",?/g)]
      assert.equal(pairs.map(([pair]) => pair).join(''), labels, line)
      return {
        name,
        value: value === '+Inf' ? Infinity : Number(value),
        labels: Object.fromEntries(pairs.map(([, key = '', said = '']) => [key, said])),
      }
    })
}

/** The value of the only sample with these labels; `undefined` if there is none. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === `paylink_auth_${name}` &&
      Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  )
  assert.ok(found.length <= 1, `${name} ${JSON.stringify(labels)} occurs ${found.length} times`)
  return found[0]?.value
}
