/** One thing a person does that takes a call: once at a time, and its refusal is shown. */
import { useState } from 'preact/hooks'

/** A thing to do, whether it is under way, and why it was refused. */
export type Action<A extends readonly unknown[]> = Readonly<{
  isBusy: boolean
  error: Error | undefined
  run(...values: A): void
}>

/** Makes it. A second click while it is under way does nothing. */
export function useAction<A extends readonly unknown[]>(work: (...values: A) => Promise<void>): Action<A> {
  const [state, setState] = useState<Readonly<{ isBusy: boolean; error: Error | undefined }>>({
    isBusy: false,
    error: undefined,
  })
  return {
    ...state,
    run(...values) {
      if (state.isBusy) return
      setState({ isBusy: true, error: undefined })
      work(...values).then(
        () => setState({ isBusy: false, error: undefined }),
        (error: unknown) => setState({ isBusy: false, error: error as Error }),
      )
    },
  }
}
