/** A dialog over the page: the browser's own, which keeps the focus and closes on Escape. */
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

let openDialogs = 0
let waiting: (() => void) | undefined

/** Does it at once, or once no dialog is open: what one shows may be shown only once. */
export function whenNoDialogIsOpen(act: () => void): void {
  if (openDialogs === 0) act()
  else waiting = act
}

// Later: another dialog may open in its place.
const noteClosed = () =>
  setTimeout(() => {
    openDialogs -= 1
    if (openDialogs === 0) waiting?.()
  })

/**
 * Shows it as long as it is drawn.
 * @param onClose called on Escape and by `<form method="dialog">`; absent: it cannot be closed by mistake
 */
export function Modal({
  title,
  onClose,
  children,
}: Readonly<{ title: string; onClose?: () => void; children: ComponentChildren }>) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isGone = useRef(false)
  const titleId = useId()
  // Before another dialog opens in its place: what was behind this one is then behind that one.
  useLayoutEffect(() => {
    const element = dialog.current
    const opener = document.activeElement
    element?.showModal()
    openDialogs += 1
    return () => {
      noteClosed()
      isGone.current = true
      // What is behind an open dialog takes no focus.
      element?.close()
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      // Without this a second Escape closes it whatever the page says.
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
