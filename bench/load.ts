/** Runs the load generator in a child process. */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { LoadOptions, LoadResult } from './generator.ts'
import { giveProcessor, preferLoad } from './processors.ts'
import type { Call } from './workloads.ts'

export type Load = Readonly<{ run(order: LoadOptions): Promise<LoadResult>; end(): void }>

export function startLoad(): Load {
  const child: ChildProcess = fork(fileURLToPath(new URL('generator.ts', import.meta.url)))
  return {
    async run(order) {
      giveProcessor(order.pid)
      child.send({ ...order, comesFirst: preferLoad(child.pid as number) })
      const [outcome] = (await once(child, 'message')) as [LoadResult | { error: string }]
      if ('error' in outcome) throw new Error(outcome.error)
      if (outcome.wrong > 0) throw new Error(`${outcome.wrong} of ${outcome.answered} answers were not ${order.status}`)
      return outcome
    },
    end: () => child.disconnect(),
  }
}

/** Serialises a call as an HTTP/1.1 request. */
export function toRequest(call: Call): string {
  const headers = { host: 'localhost', ...call.headers }
  const length = call.body?.replaceAll('{n}', '00000000').length
  const lines = Object.entries(length === undefined ? headers : { ...headers, 'content-length': String(length) })
  return `${call.method} ${call.path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${call.body ?? ''}`
}
