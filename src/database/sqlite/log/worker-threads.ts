/** Threads of the embedded database; none of their work may wait for the event loop or for its thread pool. */
import type { Worker } from 'node:worker_threads'
import { startThread } from '../../../lib/process/threads.ts'

/** Small: the threads hold no data. */
const HEAP_MB = 16

export const startDatabaseThread = (name: 'checkpoint-thread' | 'sync-thread', workerData: object): Worker =>
  startThread(`src/database/sqlite/log/${name}`, workerData, HEAP_MB)

/** What a thread answers to one request. */
export type Reply<T> = Readonly<{ done: T }> | Readonly<{ failed: unknown }>

/** Asks a thread one question at a time. */
export class Questions<Q, A> {
  readonly #thread: Worker
  #asked: PromiseWithResolvers<A> | undefined
  #ended: Error | undefined

  constructor(thread: Worker) {
    this.#thread = thread
    thread.on('message', (reply: Reply<A>) => {
      const asked = this.#asked
      this.#asked = undefined
      if ('done' in reply) asked?.resolve(reply.done)
      else asked?.reject(reply.failed)
    })
    thread.on('error', (error) => this.#end(error as Error))
    thread.on('exit', () => this.#end(new Error('its thread has ended')))
  }

  ask(question: Q): Promise<A> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended)
    this.#asked = Promise.withResolvers()
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- not a window
    this.#thread.postMessage(question)
    return this.#asked.promise
  }

  /** Call it when no question is open. */
  async close(): Promise<void> {
    await this.#thread.terminate()
  }

  #end(error: Error): void {
    this.#ended ??= error
    this.#asked?.reject(this.#ended)
    this.#asked = undefined
  }
}
