/** A field whose content the service refused: it is marked and gets the focus, and the form says what belongs there. */
import { useEffect, useRef } from 'preact/hooks'
import { CallError } from '../api.ts'

/** Marks it. @param sentence what belongs there, shown in place of the refusal */
export function useRefusedField(error: Error | undefined, sentence: string) {
  const ref = useRef<HTMLInputElement>(null)
  const isRefused = error instanceof CallError && error.code === 'VALIDATION_FAILED'
  useEffect(() => {
    if (isRefused) ref.current?.focus()
  }, [error])
  return { field: { ref, 'aria-invalid': isRefused }, error: isRefused ? new Error(sentence) : error } as const
}
