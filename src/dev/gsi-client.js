/** What takes the place of Google's script: `google.accounts.id`, as far as the pages of this service use it. */
{
  // Beside this script is the rest of it, on another origin than the page's, as with Google.
  const base = new URL('.', document.currentScript.src)
  let settings
  let frame
  let styled
  let isWanted = false

  const close = () => {
    frame?.remove()
    frame = undefined
  }

  const show = () => {
    if (settings === undefined || frame !== undefined) return
    frame = document.createElement('iframe')
    frame.src = new URL('prompt', base).href
    frame.title = 'Local stand-in for Google One Tap'
    frame.className = 'stand-in-one-tap'
    document.body.append(frame)
  }

  // Only what the frame itself says: any window may send a page a message.
  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== base.origin || frame === undefined || source !== frame.contentWindow) return
    close()
    if (typeof data.credential === 'string') settings.callback({ credential: data.credential, select_by: 'user' })
  })

  const id = {
    initialize(options) {
      settings = options
      styled ??= new Promise((resolve) => {
        const style = document.createElement('link')
        style.rel = 'stylesheet'
        style.href = new URL('style', base).href
        style.addEventListener('load', resolve)
        document.head.append(style)
      })
    },
    prompt() {
      isWanted = true
      // Before, it would push the page aside.
      void styled?.then(() => isWanted && show())
    },
    cancel() {
      isWanted = false
      close()
    },
    renderButton(parent) {
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'stand-in-button'
      button.textContent = 'Continue with Google (a local stand-in)'
      button.addEventListener('click', show)
      void styled?.then(() => parent.replaceChildren(button))
    },
  }
  window.google = { accounts: { id } }
}
