/** The script of the documentation: copy buttons, search, and anchors that moved. Pages are readable without it. */
import { addCopyButtons } from './copy.ts'
import { addressOfAnchor, createIndexLoader } from './index-loader.ts'
import type { SearchIndex } from './index-loader.ts'
import { addSearch } from './search.ts'

addCopyButtons()

const dialog = document.querySelector<HTMLDialogElement>('#search')
if (dialog) {
  const loadIndex = createIndexLoader(dialog.dataset['index'] ?? '')
  addSearch(dialog, loadIndex)
  const [, anchor] = /^#([\w-]+)$/.exec(location.hash) ?? []
  if (anchor !== undefined && document.getElementById(anchor) === null) {
    // The page that was reached is the landing page, and is good enough without the index.
    followMovedAnchor(anchor, loadIndex).catch(() => undefined)
  }
  // Ready before somebody searches, and while there still is a network. Without a time, an idle page on a busy machine
  // may never be told that it is idle.
  const preload = (): void => void loadIndex().catch(() => undefined)
  if ('requestIdleCallback' in globalThis) requestIdleCallback(preload, { timeout: 1000 })
  else setTimeout(preload, 1000)
}

async function followMovedAnchor(anchor: string, load: () => Promise<SearchIndex>): Promise<void> {
  const address = addressOfAnchor(await load(), anchor)
  if (address !== undefined) location.replace(address)
}

// The page that was chosen on a phone is this page: its menu need not stay open.
document.querySelector('#pages')?.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('a'))
    document.querySelector<HTMLElement>('#pages:popover-open')?.hidePopover()
})

// The current page is in sight in a long list.
const current = document.querySelector('#pages [aria-current]')
const list = current?.closest('nav')
if (current && list) list.scrollTop = (current as HTMLElement).offsetTop - list.clientHeight / 3
