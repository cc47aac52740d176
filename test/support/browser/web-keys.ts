/** API keys in a browser's tests: made by the API or on the page, and tried for real. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Answer } from '../http/call.ts'
import type { Look, OpenPage, Web } from './web.ts'

// What a program has of a key.
type Credentials = Readonly<{ keyId: string; keySecret: string }>

/** Keys of a service. */
export type WebKeys = Readonly<{
  /** A page for a person of this name, signed in by Google's word; nothing is opened yet. */
  openAccount(name: string, look?: Look): Promise<OpenPage & Readonly<{ token: string }>>
  /** Makes a key by the API. */
  make(token: string, name: string): Promise<Credentials>
  list(token: string): Promise<readonly Readonly<{ name: string; status: string; expiresAt: string | null }>[]>
  exchange(credentials: Credentials): Promise<Answer>
  /** The status of a call with this token. */
  statusFor(token: string): Promise<number>
}>

/** For the service. */
export const webKeys = (web: Web): WebKeys => ({
  async openAccount(name, look) {
    const token = await web.signInWithGoogle(`${name}@gmail.com`, name)
    const opened = await web.openPage(look)
    // Other pages, empty ones too, have no storage of ours.
    await opened.context.addInitScript(
      `if (location.origin === '${web.origin}') localStorage.setItem('token', '${token}')`,
    )
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

/** The open dialog. */
export const dialogOf = (page: Page): Locator => page.getByRole('dialog')

/** Clicks the button of exactly this name. */
export const press = (scope: Page | Locator, name: string): Promise<void> =>
  scope.getByRole('button', { name, exact: true }).click()

/** What the dialog shows, which is all there ever is of a secret. */
export async function shownSecret(page: Page): Promise<Credentials & Readonly<{ env: string; curl: string }>> {
  const dialog = dialogOf(page)
  const textOf = (label: string): Promise<string> => dialog.getByLabel(label, { exact: true }).innerText()
  const keyId = await textOf('Key id')
  const keySecret = await textOf('Key secret')
  await dialog.getByText('.env', { exact: true }).click()
  const env = await textOf('Environment variables')
  await dialog.getByText('curl', { exact: true }).click()
  return { keyId, keySecret, env, curl: await textOf('Exchange for a token') }
}
