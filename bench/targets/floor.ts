/** A bare `node:http` server that replays the recorded answers and does nothing else. */
import { createServer } from 'node:http'
import { answerOf } from './answers.ts'

const answers = new Map(
  (['users/me', 'auth/api/token', 'auth/request', 'auth/verify', 'auth/api/signup'] as const).map((path) => [
    `/api/v1/${path}`,
    answerOf(path),
  ]),
)

createServer((request, response) => {
  const [path = ''] = (request.url ?? '').split('?', 1)
  const answer = answers.get(path)
  request.resume()
  response.writeHead(answer?.status ?? 404, answer?.headers)
  response.end(answer?.body)
}).listen(Number(process.env['PORT']), '127.0.0.1')
