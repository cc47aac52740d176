/** The frame of the One Tap stand-in: gets a credential for the entered address, and posts it to the embedding page. */
const opener = document.body.dataset.opener
const form = document.querySelector('form')
const status = document.querySelector('[role=alert]')

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const query = new URLSearchParams(new FormData(form))
  const answer = await fetch(`credential?${query}`).then((response) => response.json())
  if (answer.error) status.textContent = answer.error.message
  else parent.postMessage({ credential: answer.credential }, opener)
})
document.querySelector('[type=button]').addEventListener('click', () => parent.postMessage({}, opener))
