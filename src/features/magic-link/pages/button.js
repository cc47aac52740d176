/** The pages of a mail's buttons: nothing happens before the click. */
const token = new URLSearchParams(location.hash.slice(1)).get('token')
// Out of the address bar and the history before anything else can look.
history.replaceState(null, '', location.pathname)

const button = document.getElementById('act')
const message = document.getElementById('message')

button.addEventListener('click', async () => {
  button.disabled = true
  try {
    const response = await fetch(`/api/v1${document.querySelector('main').dataset.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: token ?? '' }),
    })
    button.hidden = response.ok
    message.hidden = response.ok
    document.getElementById('done').hidden = !response.ok
    if (response.status === 401) message.textContent = 'This button is unknown or older than seven days.'
    else if (!response.ok) message.textContent = (await response.json()).error.message
  } catch {
    message.textContent = 'The service could not be reached. Try again.'
  }
  button.disabled = false
})
