import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Answer, Service } from '../service.ts'

/** The SDK's client, connected with this token; it ends with the test. */
export async function connectAssistant(
  { baseUrl }: Pick<Service, 'baseUrl'>,
  token: string,
  test: Readonly<{ after: (end: () => Promise<void>) => void }>,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit })
  await client.connect(transport)
  test.after(() => client.close())
  return client
}

/** Calls a tool that must succeed, and returns its result. */
export async function callTool(client: Client, name: string, input: object = {}): Promise<any> {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: { ...input } })
  const [first] = content as { type: string; text: string }[]
  const text = first?.text ?? ''
  assert.notEqual(isError, true, text)
  assert.deepEqual(JSON.parse(text), structuredContent)
  return structuredContent
}

/** Calls a tool that must refuse, and returns the words of the refusal. */
export async function refusalOf(client: Client, name: string, input: object = {}): Promise<string> {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: { ...input } })
  assert.equal(isError, true, JSON.stringify(structuredContent))
  assert.equal(structuredContent, undefined)
  const [text, ...more] = content as { type: string; text: string }[]
  assert.deepEqual(more, [])
  return text?.text ?? ''
}

/** One message, without a client. */
export function sendMessage(
  { call }: Pick<Service, 'call'>,
  token: string,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const accept = 'application/json, text/event-stream'
  return call('POST /mcp', { token, body: message, headers: { accept, ...headers } })
}
