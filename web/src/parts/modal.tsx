import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'

let openDialogs = 0
let waiting: (() => void) | undefined

/** Runs `act` once no dialog is open and no secret is shown, which cannot be shown again. */
export function afterDialogsClose(act: () => void): void {
  if (openDialogs === 0) act()
  else waiting = act
}

// Deferred: another dialog may open in its place.
const noteClosed = () =>
  setTimeout(() => {
    openDialogs -= 1
    if (openDialogs === 0) waiting?.()
  })

/** While `isShown`, asks before the page is left and holds back what waits for dialogs to close. */
export function useUnsavedSecret(isShown = true): void {
  useEffect(() => {
    if (!isShown) return undefined
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    openDialogs += 1
    return () => {
      removeEventListener('beforeunload', ask)
      noteClosed()
    }
  }, [isShown])
}

/**
 * A native modal dialog, open while it is rendered.
 * @param onClose called on Escape and by `<form method="dialog">`; without it the person cannot close the dialog
 */
export function Modal({
  title,
  onClose,
  children,
}: Readonly<{ title: string; onClose?: () => void; children: ComponentChildren }>) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isGone = useRef(false)
  const titleId = useId()
  // Layout effect: the focus returns to the opener before another dialog opens in its place.
  useLayoutEffect(() => {
    const element = dialog.current
    const opener = document.activeElement
    element?.showModal()
    openDialogs += 1
    return () => {
      noteClosed()
      isGone.current = true
      // Close first: elements behind an open dialog cannot take the focus.
      element?.close()
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      // Otherwise a second Escape closes the dialog regardless of onCancel.
      {...{ closedby: onClose ? 'closerequest' : 'none' }}
      onClose={({ currentTarget }) => {
        if (isGone.current) return
        if (onClose) onClose()
        else currentTarget.showModal()
      }}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
    >
      <div class="stack">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
