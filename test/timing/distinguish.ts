/** Whether the response time distinguishes two kinds of calls. */
import { Agent, request } from 'node:http'

export type Post = Readonly<{ url: string; body: object }>

/**
 * A sign test: makes pairs of calls, one of each kind in random order, over one connection, and counts how often the
 * first kind took longer. Drift of the machine and a few slow answers do not affect it.
 * @param ones and others the two kinds, used in rotation
 * @returns z, a standard normal variable if both kinds take equally long
 */
export async function distinguish(pairs: number, ones: readonly Post[], others: readonly Post[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const expected = await Promise.all([statusOf(agent, ones[0]), statusOf(agent, others[0])])
  if (expected[0] !== expected[1]) throw new Error(`the answers differ already: ${expected.join()}`)

  let longer = 0
  let ties = 0
  for (let pair = -500; pair < pairs; pair++) {
    const one = ones[Math.abs(pair) % ones.length]
    const other = others[Math.abs(pair) % others.length]
    const isOneFirst = Math.random() < 0.5
    const first = await time(agent, isOneFirst ? one : other)
    const second = await time(agent, isOneFirst ? other : one)
    // Warm-up.
    if (pair < 0) continue
    const difference = isOneFirst ? first - second : second - first
    if (difference > 0n) longer += 1
    if (difference === 0n) ties += 1
  }
  agent.destroy()
  const counted = pairs - ties
  return (longer - counted / 2) / Math.sqrt(counted / 4)
}

async function time(agent: Agent, post: Post | undefined): Promise<bigint> {
  const begin = process.hrtime.bigint()
  await statusOf(agent, post)
  return process.hrtime.bigint() - begin
}

function statusOf(agent: Agent, post: Post | undefined): Promise<number> {
  if (post === undefined) throw new Error('no call to make')
  const body = JSON.stringify(post.body)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    request(post.url, { agent, method: 'POST', headers }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0)).resume()
    })
      .on('error', reject)
      .end(body)
  })
}
