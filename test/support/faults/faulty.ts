/** Loaded into a service's process: a signal makes it fail like a programming error. */
import { EventEmitter } from 'node:events'

const secret = 'pls_QZXJ'

process.on('SIGWINCH', () => {
  throw new Error(`nobody catches token=${secret}`)
})
process.on('SIGURG', () => {
  void Promise.reject(new TypeError(`nobody awaits ${secret}`))
})
// Like a resolver or a socket without an error listener.
process.on('SIGIO', () => {
  new EventEmitter().emit('error', Object.assign(new Error(`getaddrinfo EAI_AGAIN ${secret}`), { code: 'EAI_AGAIN' }))
})
