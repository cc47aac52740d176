/** A dialog over the page: the browser's own, which keeps the focus and closes on Escape. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

/**
 * Shows it as long as it is drawn.
 * @param onClose called on Escape and by `<form method="dialog">`; absent: it cannot be closed by mistake
 */
export function Modal({ title, onClose, children }: Readonly<{ title: string; onClose?: () => void; children: ComponentChildren }>) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    return () => (opener instanceof HTMLElement ? opener.focus() : undefined)
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
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
