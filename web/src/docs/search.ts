/** The search dialog: `/` opens it, arrows choose, Enter opens, Escape closes. It needs no network once the index is loaded. */
import { search } from './index-loader.ts'
import type { SearchIndex } from './index-loader.ts'
import type { Found } from './search-options.ts'

const HINT = 'Find an operation, a field, an error code or a setting.'

export function addSearch(dialog: HTMLDialogElement, loadIndex: () => Promise<SearchIndex>): void {
  const input = dialog.querySelector<HTMLInputElement>('input')!
  const results = dialog.querySelector<HTMLElement>('[role=listbox]')!
  const status = dialog.querySelector<HTMLElement>('[role=status]')!
  let chosen = -1

  async function update(): Promise<void> {
    const query = input.value.trim()
    if (query === '') return show([], HINT)
    try {
      const index = await loadIndex()
      // The person may have typed on while the index was loading.
      if (query !== input.value.trim()) return
      const found = search(index, query)
      show(found, found.length === 0 ? `No results for “${query}”.` : countOf(found.length))
    } catch {
      show([], 'The search could not be loaded. Check your connection and type again.')
    }
  }

  function show(found: readonly Found[], message: string): void {
    results.replaceChildren(...found.map(optionOf))
    results.hidden = found.length === 0
    input.setAttribute('aria-expanded', String(found.length > 0))
    status.textContent = message
    choose(found.length > 0 ? 0 : -1)
  }

  function choose(index: number): void {
    chosen = index
    for (const [at, option] of [...results.children].entries()) option.setAttribute('aria-selected', `${at === index}`)
    const option = results.children[index]
    option?.scrollIntoView({ block: 'nearest' })
    if (option) input.setAttribute('aria-activedescendant', option.id)
    else input.removeAttribute('aria-activedescendant')
  }

  function open(): void {
    if (dialog.open) return
    document.querySelector<HTMLElement>('#pages:popover-open')?.hidePopover()
    dialog.showModal()
    input.select()
    void update()
  }

  input.addEventListener('input', () => void update())
  input.addEventListener('keydown', (event) => {
    const count = results.children.length
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (event.isComposing) return
    if (step !== undefined && count > 0) choose((chosen + step + count) % count)
    // A browser's own search field would be emptied first.
    else if (event.key === 'Escape') dialog.close()
    else if (event.key === 'Enter') (results.children[chosen] as HTMLElement | undefined)?.click()
    else return
    event.preventDefault()
  })
  // A link to another heading of this page does not leave it.
  results.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog || (target instanceof Element && target.matches('.close-search'))) dialog.close()
  })
  document.querySelector('.open-search')?.addEventListener('click', open)
  document.addEventListener('keydown', (event) => {
    const isShortcut = event.key === '/' || (event.key === 'k' && (event.metaKey || event.ctrlKey))
    const { target } = event
    // The input of a closed dialog keeps the focus until the next frame.
    const isTyping = target instanceof Element && target.matches('input, textarea, select') && target.checkVisibility()
    if (!isShortcut || isTyping || event.altKey) return
    event.preventDefault()
    open()
  })
}

function optionOf({ id, page, heading, group, excerpt }: Found, index: number): HTMLAnchorElement {
  const option = document.createElement('a')
  option.href = id
  option.id = `result-${index}`
  option.role = 'option'
  option.tabIndex = -1
  option.append(
    withText('strong', heading),
    withText('small', [group, page].filter((part) => part !== '').join(' › ')),
    withText('span', excerpt),
  )
  return option
}

function withText(name: string, text: string): HTMLElement {
  const element = document.createElement(name)
  element.textContent = text
  return element
}

const countOf = (count: number): string => (count === 1 ? '1 result' : `${count} results`)
