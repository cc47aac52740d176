/** API keys in browser tests: made by the API or on the page, and exchanged for real. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Answer } from '../http/call.ts'
import type { Look, OpenPage, Web } from './web.ts'

type Credentials = Readonly<{ keyId: string; keySecret: string }>

export type WebKeys = Readonly<{
  /** A page signed in with Google as a person of this name; nothing is opened yet. */
  openAccount(name: string, look?: Look): Promise<OpenPage & Readonly<{ token: string }>>
  make(token: string, name: string): Promise<Credentials>
  list(token: string): Promise<readonly Readonly<{ name: string; status: string; expiresAt: string | null }>[]>
  exchange(credentials: Credentials): Promise<Answer>
  statusFor(token: string): Promise<number>
}>

export const webKeys = (web: Web): WebKeys => ({
  async openAccount(name, look) {
    const token = await web.signInWithGoogle(`${name}@gmail.com`, name)
    const opened = await web.openPage(look)
    await opened.page.goto('/healthz')
    await opened.page.evaluate(`localStorage.setItem('token', '${token}')`)
    return { ...opened, token }
  },
  async make(token, name) {
    const { status, body, text } = await web.callApi('POST /auth/api-keys', { token, body: { name } })
    assert.equal(status, 201, text)
    return { keyId: body.apiKey.keyId, keySecret: body.keySecret }
  },
  list: async (token) => (await web.callApi('GET /auth/api-keys', { token })).body.apiKeys,
  exchange: ({ keyId, keySecret }) => web.callApi('POST /auth/api/token', { body: { keyId, keySecret } }),
  statusFor: async (token) => (await web.callApi('GET /users/me', { token })).status,
})

export const dialogOf = (page: Page): Locator => page.getByRole('dialog')

export const press = (scope: Page | Locator, name: string): Promise<void> =>
  scope.getByRole('button', { name, exact: true }).click()

/** The key and secret that the dialog shows; the secret is shown only there. */
export async function shownSecret(page: Page): Promise<Credentials & Readonly<{ env: string; curl: string }>> {
  const dialog = dialogOf(page)
  const textOf = (label: string): Promise<string> => dialog.getByLabel(label, { exact: true }).innerText()
  const keyId = await textOf('Key id')
  const keySecret = await textOf('Key secret')
  await dialog.getByRole('tab', { name: '.env' }).click()
  const env = await textOf('Environment variables')
  await dialog.getByRole('tab', { name: 'curl' }).click()
  return { keyId, keySecret, env, curl: await textOf('create-link.sh') }
}

/** 1 exchange 30 days ago, 30 today; every seventh day as many refusals. */
export function storeUses(web: Web, keyId: string): void {
  for (let n = 1; n <= 30; n += 1) {
    const day = new Date(Date.now() - (30 - n) * 86_400_000).toISOString().slice(0, 10)
    const values = [keyId, day, String(n), String(n % 7 === 0 ? n : 0), 'somebody']
    web.execute(
      'insert into key_daily_uses (key_id, day, exchanges, refusals, user_id) values (?, ?, ?, ?, ?)',
      ...values,
    )
  }
}
