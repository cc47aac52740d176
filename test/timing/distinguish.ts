/** Whether two kinds of calls can be told apart by how long they take. */
import { Agent, request } from 'node:http'

/** A call: what is posted where. */
export type Post = Readonly<{ url: string; body: object }>

/**
 * Makes pairs of calls, one of each kind in random order, over one connection, and counts in how many
 * the first kind took longer: a sign test, which a drift of the machine or a few slow answers do not
 * move. Gives the test's z: for kinds that take equally long it is a standard normal variable.
 * @param ones and others the two kinds, which are gone through again and again
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
    // The first ones warm everything up.
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
  if (post === undefined) throw new Error('there is nothing to post')
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
