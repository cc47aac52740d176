/** Loaded into a service’s process before it starts: a signal makes it fail as a programming error would. */
import { EventEmitter } from 'node:events'

const secret = 'pls_QZXJ'

process.on('SIGWINCH', () => {
  throw new Error(`nobody catches token=${secret}`)
})
process.on('SIGURG', () => {
  void Promise.reject(new TypeError(`nobody awaits ${secret}`))
})
// As a resolver or a socket does that nobody listens to.
process.on('SIGIO', () => {
  new EventEmitter().emit('error', Object.assign(new Error(`getaddrinfo EAI_AGAIN ${secret}`), { code: 'EAI_AGAIN' }))
})
