import { useEffect, useRef } from 'preact/hooks'
import { CallError } from '../api.ts'

/** On VALIDATION_FAILED, marks and focuses the field. @param sentence shown instead of the error: what to enter */
export function useInvalidField(error: Error | undefined, sentence: string) {
  const ref = useRef<HTMLInputElement>(null)
  const isInvalid = error instanceof CallError && error.code === 'VALIDATION_FAILED'
  useEffect(() => {
    if (isInvalid) ref.current?.focus()
  }, [error])
  return { field: { ref, 'aria-invalid': isInvalid }, error: isInvalid ? new Error(sentence) : error } as const
}
