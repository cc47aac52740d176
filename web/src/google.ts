/** Sign-in with Google: the redirect flow, and Google's script for One Tap and its button. */
import { paths, goTo } from './page-paths.ts'
import { baseUrl } from './api.ts'
import { storage } from './storage.ts'
import { language } from './language.ts'
import { settings } from './settings.ts'

const STARTED = 'google-started'
/** Query parameter of `/signed-in` with the id of the flow. */
const FLOW = 'flow'
/** Lifetime of a flow; equals that of the service's flow cookie. */
const AWAY_MS = 10 * 60_000

// The part in use of https://developers.google.com/identity/gsi/web/reference/js-reference.
type GoogleIdentity = Readonly<{
  initialize(
    options: Readonly<Record<string, unknown>> & Readonly<{ callback(answer: { credential: string }): void }>,
  ): void
  prompt(): void
  cancel(): void
  renderButton(parent: HTMLElement, options: Readonly<Record<string, unknown>>): void
}>

declare global {
  interface Window {
    google?: Readonly<{ accounts: Readonly<{ id: GoogleIdentity }> }>
    trustedTypes?: Readonly<{
      createPolicy(
        name: string,
        rules: { createScriptURL(url: string): string },
      ): { createScriptURL(url: string): string }
    }>
  }
}

/** Google's sign-in page refuses browsers embedded in apps (`disallowed_useragent`). */
export const isRefusedByGoogle =
  /FBAN|FBAV|Instagram|Line\/|MicroMessenger|Snapchat|LinkedInApp|TikTok|BytedanceWebview|; wv\)|GSA\//.test(
    navigator.userAgent,
  )

/** Goes to Google, which returns to `/signed-in`, which opens `next`. */
export function startWithGoogle(next: string): void {
  if (settings.google === null) return
  const id = crypto.getRandomValues(new Uint32Array(4)).join('-')
  storage.write(STARTED, JSON.stringify([...readStarted(), { id, atMs: Date.now(), next }]))
  const redirectTo = `${settings.publicUrl}${paths.signedIn}?${new URLSearchParams({ [FLOW]: id }).toString()}`
  void goTo(`${baseUrl}/auth/google/start?${new URLSearchParams({ redirectTo }).toString()}`)
}

type Started = Readonly<{ id: string; atMs: number; next: string }>

/**
 * Consumes the flow that the URL names. Prevents login CSRF: the id is a secret of this browser, so an attacker's URL
 * cannot bring a token of the attacker's account. Several tabs may have flows at the same time.
 * @returns the page to open; undefined if the flow did not start here or has expired
 */
export function consumeFlow(): string | undefined {
  const id = new URLSearchParams(location.search).get(FLOW)
  const started = readStarted()
  storage.write(STARTED, JSON.stringify(started.filter((each) => each.id !== id)))
  history.replaceState(null, '', paths.signedIn)
  return started.find((each) => each.id === id)?.next
}

function readStarted(): Started[] {
  try {
    const started = JSON.parse(storage.read(STARTED) ?? '[]') as Started[]
    return started.filter(({ atMs }) => Date.now() - atMs < AWAY_MS)
  } catch {
    return []
  }
}

/** Shows One Tap if Google is configured and allows this browser. @returns cancels it */
export function offerOneTap(onCredential: (credential: string) => void): (() => void) | undefined {
  if (settings.google === null || isRefusedByGoogle) return undefined
  let isWanted = true
  void loadGoogle(onCredential).then((google) => (isWanted ? google?.prompt() : undefined))
  return () => {
    isWanted = false
    window.google?.accounts.id.cancel()
  }
}

/** @returns whether Google's script was loaded */
export async function drawGoogleButton(
  parent: HTMLElement,
  onCredential: (credential: string) => void,
): Promise<boolean> {
  const google = await loadGoogle(onCredential)
  google?.renderButton(parent, { theme: 'outline', size: 'large', text: 'continue_with', locale: language })
  return google !== undefined
}

async function loadGoogle(onCredential: (credential: string) => void): Promise<GoogleIdentity | undefined> {
  const { google } = settings
  if (google === null) return undefined
  const script = document.createElement('script')
  script.src = trusted(google.clientScript)
  await new Promise((resolve) => {
    script.addEventListener('load', resolve)
    // Blocked or unreachable: sign-in by e-mail link still works.
    script.addEventListener('error', resolve)
    document.head.append(script)
  })
  const identity = window.google?.accounts.id
  identity?.initialize({
    client_id: google.clientId,
    callback: ({ credential }) => onCredential(credential),
    use_fedcm_for_prompt: true,
    context: 'signin',
  })
  return identity
}

function createScriptURL(asked: string): string {
  if (asked !== settings.google?.clientScript) throw new TypeError('Not the address of the script')
  return asked
}

// The only third-party script; the Trusted Types policy refuses every other URL.
function trusted(url: string): string {
  return window.trustedTypes?.createPolicy('paylink', { createScriptURL }).createScriptURL(url) ?? url
}
