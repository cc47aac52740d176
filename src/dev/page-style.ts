import { readFileSync } from 'node:fs'
import type { App } from '../http/endpoint.ts'
import { packageRoot } from '../lib/process/package-root.ts'
import { refuseOthers } from './loopback-only.ts'

export function addPageStyle(app: App): void {
  const style = readFileSync(new URL('src/dev/page.css', packageRoot), 'utf8')
  app.get(
    '/dev/page.css',
    { config: { access: 'public' }, schema: { hide: true }, onRequest: refuseOthers },
    async (_request, reply) => reply.type('text/css; charset=utf-8').send(style),
  )
}
