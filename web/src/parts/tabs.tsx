/** Tabs with automatic activation (WAI-ARIA Authoring Practices, "Tabs"). */
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import styles from './tabs.module.css'

type TabsProps = Readonly<{
  /** Accessible name of the list. */
  label: string
  tabs: readonly string[]
  chosen: string
  onChoose(tab: string): void
  /** The panel of the chosen tab. */
  children: ComponentChildren
}>

export function Tabs({ label, tabs, chosen, onChoose, children }: TabsProps) {
  const id = useId()
  const current = useRef<HTMLButtonElement>(null)
  // On a phone the list may be wider than the screen. Not on the first render, which would scroll the page.
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    if (!isFirst.current) current.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    isFirst.current = false
  }, [chosen])
  const moveTo = (event: KeyboardEvent): void => {
    const index = tabs.indexOf(chosen)
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      Home: 0,
      End: -1,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    const tab = tabs.at(next % tabs.length) ?? chosen
    onChoose(tab)
    document.getElementById(`${id}-${tabs.indexOf(tab)}`)?.focus()
  }
  return (
    <div class={styles.tabs}>
      <div role="tablist" aria-label={label}>
        {tabs.map((tab, index) => (
          <button
            key={tab}
            ref={tab === chosen ? current : null}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-selected={tab === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => onChoose(tab)}
            onKeyDown={moveTo}
          >
            {tab}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} class="stack tight" aria-labelledby={`${id}-${tabs.indexOf(chosen)}`}>
        {children}
      </div>
    </div>
  )
}
