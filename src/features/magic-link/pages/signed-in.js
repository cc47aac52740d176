/** The page a sign-in with Google ends on where there is no frontend of one's own: the token, or what went wrong. */
const fragment = new URLSearchParams(location.hash.slice(1))
// Out of the address bar and the history before anything else can look.
history.replaceState(null, '', location.pathname)
addEventListener('hashchange', () => location.reload())

const element = (id) => document.getElementById(id)
const token = fragment.get('token')

// In words of our own: anybody can write a link to this page, with anything in it.
const failures = {
  OAUTH_DENIED: 'The sign-in with Google was cancelled or refused there.',
  EMAIL_NOT_VERIFIED: 'This Google account cannot sign in here: Google does not vouch for its address, or an account with that address exists. Sign in by e-mail.',
  SIGNUP_CLOSED: 'There is no account with this address, and no new ones are made.',
  GOOGLE_UNAVAILABLE: 'Google cannot be reached. Try again shortly, or sign in by e-mail.',
}
const failure = failures[fragment.get('error')] ?? 'The sign-in with Google did not work. Start again.'

element('message').textContent = token
  ? 'You are signed in. This is your access token, valid for 7 days.'
  : failure
element('token').value = token ?? ''
element('signed-in').hidden = !token
element('again').hidden = Boolean(token)
element('copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText(element('token').value)
  element('copy').textContent = 'Copied'
})
