/** Both ways of sending by SMTP. */
import { createLog } from '../../../src/lib/log.ts'
import { createSmtpTransport } from '../../../src/mail/smtp-transport.ts'
import { createThreadedTransport as create } from '../../../src/mail/threaded-transport.ts'

const createThreadedTransport = (server: URL, from: string) => create(server, from, createLog('silent'))

export const transports = [createSmtpTransport, createThreadedTransport]
