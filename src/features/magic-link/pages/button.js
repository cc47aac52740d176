/** The pages of a mail's buttons: nothing happens before the click. */
const token = new URLSearchParams(location.hash.slice(1)).get('token')
// Out of the address bar and the history before anything else can look.
history.replaceState(null, '', location.pathname)
// The link of another mail, opened in this tab: only a new start can tell the two apart.
addEventListener('hashchange', () => location.reload())

const button = document.getElementById('act')
const message = document.getElementById('message')
const done = document.getElementById('done')

if (!token) {
  button.hidden = true
  message.textContent = 'This page is opened by a link in a mail.'
}

button.addEventListener('click', async () => {
  button.disabled = true
  try {
    const response = await fetch(`/api/v1${document.querySelector('main').dataset.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    button.hidden = response.ok
    message.hidden = response.ok
    done.hidden = !response.ok
    // The button is gone: whoever cannot see the page is told here.
    if (response.ok) done.focus()
    else if (response.status === 401) message.textContent = 'This button is unknown or older than seven days.'
    else message.textContent = (await response.json()).error.message
  } catch {
    message.textContent = 'The service could not be reached. Try again.'
  }
  button.disabled = false
})
