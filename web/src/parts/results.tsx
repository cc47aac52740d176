/** The one place where a page says what an action did. It takes no focus and covers none. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { inLanguage } from '../language.ts'
import type { DelayedCall } from './delayed-calls.ts'
import { CloseMark } from './icons.tsx'
import { startTimer } from './pausable-timer.ts'
import type { PausableTimer } from './pausable-timer.ts'
import styles from './results.module.css'

const words = inLanguage({
  en: { label: 'Result', undo: 'Undo', dismiss: 'Dismiss' },
  ro: { label: 'Rezultat', undo: 'Anulează', dismiss: 'Închide' },
})

const SHOWN_MS = 10_000
const isApple = /Mac|iP(hone|ad|od)/.test(navigator.platform)

type Result = Readonly<{
  /** A new element per result: a screen reader announces the same text again. */
  id: number
  text: string
  isFailure: boolean
  undo: DelayedCall | undefined
  /** A page that helps. */
  link: Link | undefined
  timer: PausableTimer
}>

type Link = Readonly<{ url: string; text: string }>

type Options = Readonly<{ undo?: DelayedCall; isFailure?: boolean; link?: Link }>

let count = 0
let shown: Result | undefined
/** Show the failures that came while another call could be undone, which they must not end. */
const waiting: (() => void)[] = []
let listener: (() => void) | undefined

function show(result: Result | undefined): void {
  shown = result
  listener?.()
}

function hide(id: number): void {
  if (shown?.id !== id) return
  const { timer, undo } = shown
  timer.stop()
  show(undefined)
  undo?.makeNow()
}

function dismiss(id: number): void {
  hide(id)
  if (!shown) waiting.shift()?.()
}

/**
 * Shows what an action did, for at least ten seconds, in place of the result before, whose Undo ends. A failure, which
 * comes by itself, waits for that Undo.
 * @param options.undo the call that the result is about, from `delayCall`: adds an Undo button
 */
export function showResult(text: string, options: Options = {}): void {
  const { undo, isFailure = false, link } = options
  if (isFailure && shown?.undo) return void waiting.push(() => showResult(text, options))
  if (shown) hide(shown.id)
  const id = (count += 1)
  show({ id, text, isFailure, undo, link, timer: startTimer(SHOWN_MS, () => dismiss(id)) })
  undo?.onSettled(() => {
    if (shown?.id === id) show({ ...shown, undo: undefined })
  })
}

/** Rendered once per page and present from the start, so that screen readers announce what is added. */
export function Results() {
  const [result, setResult] = useState<Result>()
  const focusBefore = useRef<HTMLElement | null>(null)
  useEffect(() => {
    listener = () => setResult(shown)
    listener()
    document.addEventListener('keydown', undoByKeyboard)
    return () => {
      listener = undefined
      document.removeEventListener('keydown', undoByKeyboard)
    }
  }, [])
  useEffect(() => {
    // The result may be in front of the element with the focus; the style sheet keeps room below it.
    if (result) document.activeElement?.scrollIntoView({ block: 'nearest' })
  }, [result?.id])
  const setPaused = (isPaused: boolean): void => {
    const act = isPaused ? 'pause' : 'resume'
    result?.timer[act]()
    result?.undo?.[act]()
  }
  useLayoutEffect(() => {
    // The button that had the focus is gone.
    if (!focusBefore.current || document.activeElement !== document.body) return
    const next = focusBefore.current.isConnected ? focusBefore.current : document.querySelector('main')
    focusBefore.current = null
    next?.focus({ preventScroll: true })
    setPaused(false)
  }, [result])
  const undo = result?.undo
  return (
    <div role="status" aria-label={words.label} class={styles.place}>
      {result && (
        <div
          key={result.id}
          class={`${styles.result} ${result.isFailure ? styles.failure : ''}`}
          onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setPaused(true)}
          onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setPaused(false)}
          onFocusIn={({ relatedTarget, currentTarget }) => {
            if (!currentTarget.contains(relatedTarget as Node | null)) {
              focusBefore.current = relatedTarget instanceof HTMLElement ? relatedTarget : document.body
            }
            setPaused(true)
          }}
          onFocusOut={({ relatedTarget, currentTarget }) => {
            if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) focusBefore.current = null
            setPaused(false)
          }}
          onKeyDown={({ key }) => {
            if (key === 'Escape') dismiss(result.id)
          }}
        >
          <p>
            {result.text} {result.link && <a href={result.link.url}>{result.link.text}</a>}
          </p>
          {undo && (
            <button
              type="button"
              class={styles.undo}
              aria-keyshortcuts={isApple ? 'Meta+Z' : 'Control+Z'}
              onClick={() => undoResult(result.id, undo)}
            >
              {words.undo} <kbd>{isApple ? '⌘Z' : 'Ctrl+Z'}</kbd>
            </button>
          )}
          <button type="button" class={styles.dismiss} aria-label={words.dismiss} onClick={() => dismiss(result.id)}>
            <CloseMark />
          </button>
        </div>
      )}
    </div>
  )
}

function undoResult(id: number, undo: DelayedCall): void {
  undo.undo()
  dismiss(id)
}

// Undo is the last stop of the Tab key; this is the short way.
function undoByKeyboard(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event
  if (key.toLowerCase() !== 'z' || !(isApple ? metaKey : ctrlKey) || shiftKey || altKey || !shown?.undo) return
  if (target instanceof Element && target.closest('input, textarea, select, dialog')) return
  event.preventDefault()
  undoResult(shown.id, shown.undo)
}
