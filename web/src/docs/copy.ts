const SHOWN_MS = 2000

/** Makes the copy buttons work, and says the result in the live region. */
export function addCopyButtons(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('.copy') : null
    const code = button?.closest('.code')?.querySelector('code')
    if (button && code) void copyAndSay(button, code)
  })
}

async function copyAndSay(button: Element, code: Element): Promise<void> {
  const isCopied = await copy(code)
  button.textContent = isCopied ? 'Copied' : 'Selected'
  setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS)
  const status = document.querySelector('#copied')
  if (!status) return
  // Emptied first, because a repeated text is not announced.
  status.textContent = ''
  setTimeout(() => {
    status.textContent = isCopied ? 'Copied' : 'The code is selected. Copy it with the keyboard.'
  })
}

// Over plain http from another machine there is no clipboard: then the code is selected for the person to copy.
async function copy(code: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent.replace(/\n$/, ''))
    return true
  } catch {
    getSelection()?.selectAllChildren(code)
    return false
  }
}
