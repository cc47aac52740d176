import type { TargetedEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { CallError } from '../api.ts'

type Described = Readonly<{
  /** The id of the field. */
  id: string
  /** What to enter; shown at the field instead of the error. */
  sentence: string
  /** The id of the field's hint. */
  hintId?: string
}>

/**
 * If the browser or the service (VALIDATION_FAILED) refuses the field, marks and focuses it, and shows what to enter at
 * it, in place of the browser's bubble, which speaks the browser's language.
 */
export function useInvalidField(error: Error | undefined, { id, sentence, hintId }: Described) {
  const ref = useRef<HTMLInputElement>(null)
  const [isRefused, setRefused] = useState(false)
  const isRejected = error instanceof CallError && error.code === 'VALIDATION_FAILED'
  const isInvalid = isRefused || isRejected
  useEffect(() => {
    if (isRejected) ref.current?.focus()
  }, [error])
  const errorId = `${id}-error`
  return {
    field: {
      ref,
      id,
      'aria-invalid': isInvalid,
      'aria-describedby': hintId ? `${errorId} ${hintId}` : errorId,
      onInvalid: (event: TargetedEvent<HTMLInputElement>) => {
        event.preventDefault()
        setRefused(true)
        const field = event.currentTarget
        if (field.form?.querySelector('input:invalid') === field) field.focus()
      },
      // In the capture phase, which leaves `onInput` to the form.
      onInputCapture: () => setRefused(false),
    },
    /** Stands below the field. Always present, so that screen readers announce its content. */
    fieldError: (
      <p id={errorId} role="alert" class="field-error small">
        {isInvalid && sentence}
      </p>
    ),
    /** An error that is not about the field. */
    error: isRejected ? undefined : error,
  } as const
}
