/** Asks the load generator, which is a process of its own, for a load. */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Order, Outcome } from './generator.ts'
import type { Call } from './works.ts'

/** The process that makes the load. */
export type Load = Readonly<{ run(order: Order): Promise<Outcome>; end(): void }>

/** Starts it. */
export function startLoad(): Load {
  const child: ChildProcess = fork(fileURLToPath(new URL('generator.ts', import.meta.url)))
  return {
    async run(order) {
      child.send(order)
      const [outcome] = (await once(child, 'message')) as [Outcome | { error: string }]
      if ('error' in outcome) throw new Error(outcome.error)
      if (outcome.wrong > 0) throw new Error(`${outcome.wrong} of ${outcome.answered} answers were not ${order.status}`)
      return outcome
    },
    end: () => child.disconnect(),
  }
}

/** A call as it goes over the wire. */
export function toRequest(call: Call): string {
  const headers = { host: 'localhost', ...call.headers }
  // The number that `{n}` stands for has eight digits.
  const length = call.body?.replaceAll('{n}', '00000000').length
  const lines = Object.entries(length === undefined ? headers : { ...headers, 'content-length': String(length) })
  return `${call.method} ${call.path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${call.body ?? ''}`
}
