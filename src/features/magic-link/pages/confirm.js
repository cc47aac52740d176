/** The page a mailed link ends on: one click signs in. Nothing is used up before it. */
const fragment = new URLSearchParams(location.hash.slice(1))
// Out of the address bar and the history before anything else can look.
history.replaceState(null, '', location.pathname)
// Another link, opened in this tab: only a new start can tell the two apart.
addEventListener('hashchange', () => location.reload())

const element = (id) => document.getElementById(id)
const frontend = document.querySelector('main').dataset.frontend
const token = fragment.get('token')
const redirectTo = fragment.get('redirectTo')

async function call(path, options) {
  try {
    const response = await fetch(`/api/v1${path}`, { headers: { accept: 'application/json' }, ...options })
    const body = await response.json()
    return response.ok ? body : { failure: body.error }
  } catch {
    return { failure: { code: 'UNREACHABLE', message: 'The service could not be reached. Try again.' } }
  }
}

function say(text) {
  element('message').textContent = text
}

function fail({ code, message }) {
  say(message)
  const isTemporary = code === 'UNREACHABLE' || code === 'UNAVAILABLE'
  element('confirm').hidden = !isTemporary
  element('again').hidden = isTemporary
}

async function inspect() {
  if (!token) return fail({ code: 'LINK_INVALID', message: 'This page is opened by a link in a sign-in mail.' })
  const link = await call('/auth/links/inspect', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  if (link.failure) return fail(link.failure)
  say(`Sign in as ${link.email}?`)
  element('confirm').hidden = false
  element('confirm').focus()
}

async function confirm() {
  element('confirm').disabled = true
  const query = new URLSearchParams(redirectTo ? { token, redirectTo } : { token })
  const signedIn = await call(`/auth/verify?${query}`)
  element('confirm').disabled = false
  if (signedIn.failure) return fail(signedIn.failure)
  element('confirm').hidden = true

  // The service has accepted redirectTo just now, so it is on the frontend's origin.
  const target = redirectTo || frontend
  if (target) {
    const url = new URL(target)
    url.hash = new URLSearchParams({ token: signedIn.token, needsOnboarding: signedIn.needsOnboarding })
    return location.replace(url)
  }
  say('You are signed in. This is your access token, valid for 7 days.')
  element('token').value = signedIn.token
  element('signed-in').hidden = false
}

element('confirm').addEventListener('click', confirm)
element('copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText(element('token').value)
  element('copy').textContent = 'Copied'
})
await inspect()
