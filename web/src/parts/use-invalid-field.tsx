import { useEffect, useRef } from 'preact/hooks'
import { CallError } from '../api.ts'

type Described = Readonly<{
  /** The id of the field. */
  id: string
  /** What to enter; shown at the field instead of the error. */
  sentence: string
  /** The id of the field's hint. */
  hintId?: string
}>

/** On VALIDATION_FAILED, marks and focuses the field, and shows what to enter at it. */
export function useInvalidField(error: Error | undefined, { id, sentence, hintId }: Described) {
  const ref = useRef<HTMLInputElement>(null)
  const isInvalid = error instanceof CallError && error.code === 'VALIDATION_FAILED'
  useEffect(() => {
    if (isInvalid) ref.current?.focus()
  }, [error])
  const errorId = `${id}-error`
  return {
    field: { ref, id, 'aria-invalid': isInvalid, 'aria-describedby': hintId ? `${errorId} ${hintId}` : errorId },
    /** Stands below the field. Always present, so that screen readers announce its content. */
    fieldError: (
      <p id={errorId} role="alert" class="field-error small">
        {isInvalid && sentence}
      </p>
    ),
    /** An error that is not about the field. */
    error: isInvalid ? undefined : error,
  } as const
}
