/** What the service tells Prometheus, read as Prometheus reads it. */
import assert from 'node:assert/strict'
import { sendRaw } from '../http/raw.ts'

/** A token that `METRICS_TOKEN` takes. */
export const METRICS_TOKEN = 'a-token-of-the-tests-0123456789abcdef'

/** One line of it. */
export type Sample = Readonly<{ name: string; labels: Readonly<Record<string, string>>; value: number }>

/** Everything that a service tells. */
export async function scrape(origin: string): Promise<Sample[]> {
  const answer = await sendRaw(origin, ['GET /metrics HTTP/1.1', `Authorization: Bearer ${METRICS_TOKEN}`])
  assert.equal(answer.status, 200, answer.text)
  return samplesIn(answer.text)
}

/** The samples of a text; each of its lines must be one, or say something about one. */
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
        value: Number(value),
        labels: Object.fromEntries(pairs.map(([, key = '', said = '']) => [key, said])),
      }
    })
}

/** The value of the one sample with these labels; `undefined`: there is none. */
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
  assert.ok(found.length <= 1, `${name} ${JSON.stringify(labels)} is there ${found.length} times`)
  return found[0]?.value
}
