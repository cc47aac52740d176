import { useEffect, useRef, useState } from 'preact/hooks'
import type { RefObject } from 'preact'

/** Undefined if nothing was copied in the last two seconds. */
export type Copied = 'yes' | 'refused' | undefined

/**
 * If the browser refuses to copy (plain http, a permission), the text is selected instead.
 * @returns the outcome, the function that copies, and a ref for the element with the text
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
      // `navigator.clipboard` is undefined on plain http.
      await navigator.clipboard.writeText(text)
      setCopied('yes')
    } catch {
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
      setCopied('refused')
    }
  }
  return [copied, () => void copy(), shown]
}
