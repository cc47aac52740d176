import { useEffect, useRef } from 'preact/hooks'
import { CallError } from '../api.ts'

/** On VALIDATION_FAILED, marks and focuses the field. @param sentence shown instead of the error: what to enter */
export function useInvalidField(error: Error | undefined, sentence: string) {
  const ref = useRef<HTMLInputElement>(null)
  const isRefused = error instanceof CallError && error.code === 'VALIDATION_FAILED'
  useEffect(() => {
    if (isRefused) ref.current?.focus()
  }, [error])
  return { field: { ref, 'aria-invalid': isRefused }, error: isRefused ? new Error(sentence) : error } as const
}
