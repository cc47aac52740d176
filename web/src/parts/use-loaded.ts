/** What a page shows is read when it opens, and again when something was changed. */
import { useEffect, useState } from 'preact/hooks'

/** What was read; `undefined` until it is there. */
export type Loaded<T> = Readonly<{ value: T | undefined; error: Error | undefined; reload(): Promise<void> }>

/** Reads it. What is shown stays until the new is there. */
export function useLoaded<T>(read: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Readonly<{ value: T | undefined; error: Error | undefined }>>({
    value: undefined,
    error: undefined,
  })
  const reload = async (): Promise<void> => {
    try {
      setState({ value: await read(), error: undefined })
    } catch (error) {
      setState(({ value }) => ({ value, error: error as Error }))
    }
  }
  useEffect(() => void reload(), [])
  return { ...state, reload }
}
