import { test } from 'node:test'
import { assertError } from '../../support/http/answers.ts'
import { freePort, temporaryFolder } from '../../support/files.ts'
import { runCli } from '../../support/process/process.ts'
import { sendRaw } from '../../support/wire/raw.ts'
import { startSmtp } from '../../support/mail/smtp.ts'

test('there is no development mailbox in production, not even for loopback', async () => {
  const folder = temporaryFolder()
  const smtp = await startSmtp()
  const port = await freePort()
  const running = runCli(['serve'], {
    cwd: folder.path,
    env: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: folder.path,
      PUBLIC_URL: 'https://auth.example.com',
      JWT_SECRET: 'a-test-secret-of-more-than-thirty-two-bytes',
      SMTP_URL: smtp.url,
    },
  })
  await running.waitFor('listening')
  for (const path of ['/dev/mailbox', '/dev/mailbox/1', '/dev', '/dev/']) {
    const answer = await sendRaw(`http://127.0.0.1:${port}`, [`GET ${path} HTTP/1.1`, 'Host: localhost'])
    assertError(answer, 'NOT_FOUND')
  }
  running.kill('SIGTERM')
  await running.exited
  await smtp.close()
  folder.remove()
})
