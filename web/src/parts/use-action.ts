import { useState } from 'preact/hooks'

export type Action<A extends readonly unknown[]> = Readonly<{
  isBusy: boolean
  error: Error | undefined
  run(...values: A): void
}>

/** Wraps an API call for a button. `run` does nothing while a call is pending. */
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
