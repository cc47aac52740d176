/** Sign-in with Google from these pages: the redirect flow, and Google's own script for One Tap and its button. */
import { addresses, goTo } from './addresses.ts'
import { baseUrl } from './api.ts'
import { kept } from './kept.ts'
import { language } from './language.ts'
import { settings } from './settings.ts'

const STARTED = 'google-started'
/** What the address that Google's sign-in comes back to calls the sign-in by. */
const FLOW = 'flow'
/** How long a sign-in may be away at Google, in milliseconds: as long as the service's own cookie lasts. */
const AWAY_MS = 10 * 60_000

// https://developers.google.com/identity/gsi/web/reference/js-reference, as far as it is used here.
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

/** Whether this is a browser inside an app, which Google's sign-in page refuses (`disallowed_useragent`). */
export const isRefusedByGoogle =
  /FBAN|FBAV|Instagram|Line\/|MicroMessenger|Snapchat|LinkedInApp|TikTok|BytedanceWebview|; wv\)|GSA\//.test(
    navigator.userAgent,
  )

/** Leaves for Google; comes back to `/signed-in`, which goes on to the page. */
export function startWithGoogle(next: string): void {
  if (settings.google === null) return
  const id = crypto.getRandomValues(new Uint32Array(4)).join('-')
  kept.write(STARTED, JSON.stringify([...readStarted(), { id, atMs: Date.now(), next }]))
  const redirectTo = `${settings.publicUrl}${addresses.signedIn}?${new URLSearchParams({ [FLOW]: id }).toString()}`
  void goTo(`${baseUrl}/auth/google/start?${new URLSearchParams({ redirectTo }).toString()}`)
}

type Started = Readonly<{ id: string; atMs: number; next: string }>

/**
 * The sign-in that the address names, if this browser started it, and once; there may be several, in several
 * tabs. A page that took any token that an address brings could be used to sign somebody in to another
 * person's account (login CSRF): the name is a secret of this browser, which such an address cannot have.
 * @returns the page to go on to; undefined: it was not started here, or too long ago
 */
export function takeStarted(): string | undefined {
  const id = new URLSearchParams(location.search).get(FLOW)
  const started = readStarted()
  kept.write(STARTED, JSON.stringify(started.filter((each) => each.id !== id)))
  history.replaceState(null, '', addresses.signedIn)
  return started.find((each) => each.id === id)?.next
}

function readStarted(): Started[] {
  try {
    const started = JSON.parse(kept.read(STARTED) ?? '[]') as Started[]
    return started.filter(({ atMs }) => Date.now() - atMs < AWAY_MS)
  } catch {
    return []
  }
}

/** Offers One Tap where Google is configured and this browser may. @returns takes it back */
export function offerOneTap(onCredential: (credential: string) => void): (() => void) | undefined {
  if (settings.google === null || isRefusedByGoogle) return undefined
  let isWanted = true
  void loadGoogle(onCredential).then((google) => (isWanted ? google?.prompt() : undefined))
  return () => {
    isWanted = false
    window.google?.accounts.id.cancel()
  }
}

/** Draws Google's button. @returns whether Google's script could be loaded */
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
    // Blocked, or Google is away: the other ways in are there.
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

// The one script from elsewhere; the policy refuses every other address.
function trusted(url: string): string {
  return window.trustedTypes?.createPolicy('paylink', { createScriptURL }).createScriptURL(url) ?? url
}
