/** The page a sign-in with Google ends on where there is no frontend of one's own: the token, or what went wrong. */
const fragment = new URLSearchParams(location.hash.slice(1))
// Out of the address bar and the history before anything else can look.
history.replaceState(null, '', location.pathname)
addEventListener('hashchange', () => location.reload())

const element = (id) => document.getElementById(id)
const token = fragment.get('token')

element('message').textContent = token
  ? 'You are signed in. This is your access token, valid for 7 days.'
  : (fragment.get('error_description') ?? 'This page is opened at the end of a sign-in.')
element('token').value = token ?? ''
element('signed-in').hidden = !token
element('again').hidden = Boolean(token)
element('copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText(element('token').value)
  element('copy').textContent = 'Copied'
})
