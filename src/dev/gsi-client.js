/** Stand-in for Google's script: the parts of `google.accounts.id` that this service's pages use. */
{
  // The other files are next to this script, on another origin than the page, as with Google.
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

  // Only messages from the frame itself: any window may post a message to the page.
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
      // Without its style, the frame would shift the page.
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
