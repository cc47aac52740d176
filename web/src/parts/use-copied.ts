/** Copying: what came of it, for as long as one looks. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { RefObject } from 'preact'

/** What came of it; undefined: nothing was copied lately. */
export type Copied = 'yes' | 'refused' | undefined

/**
 * Copies a text. Where the browser refuses (plain http, a permission), the text is selected for the person to do it.
 * @returns what came of it, the way to do it, and the ref of the element that shows the text
 */
export function useCopied<E extends HTMLElement>(text: string): readonly [Copied, () => void, RefObject<E | null>] {
  const [copied, setCopied] = useState<Copied>()
  const shown = useRef<E>(null)
  useEffect(() => {
    if (copied !== 'yes') return undefined
    const timer = setTimeout(() => setCopied(undefined), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async (): Promise<void> => {
    try {
      // Not there at all on plain http.
      await navigator.clipboard.writeText(text)
      setCopied('yes')
    } catch {
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
      setCopied('refused')
    }
  }
  return [copied, () => void copy(), shown]
}
