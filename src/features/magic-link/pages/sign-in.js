/** The page that asks for an address and requests a sign-in link for it. */
const main = document.querySelector('main')
const form = document.querySelector('form')
const message = document.getElementById('message')
const button = form.querySelector('button')

const google = document.getElementById('google')
google.hidden = main.dataset.google === ''
google.firstElementChild.href = main.dataset.google

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  button.disabled = true
  const email = form.elements.email.value
  try {
    const response = await fetch('/api/v1/auth/request', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    const body = await response.json()
    form.hidden = response.ok
    message.textContent = response.ok
      ? `Check your mail: a sign-in link is on its way to ${email}. It works for 10 minutes.`
      : body.error.message
    document.getElementById('mailbox').hidden = !response.ok || main.dataset.mailbox === ''
  } catch {
    message.textContent = 'The service could not be reached. Try again.'
  }
  message.hidden = false
  button.disabled = false
})
