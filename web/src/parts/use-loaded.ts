import { useEffect, useState } from 'preact/hooks'

export type Loaded<T> = Readonly<{ value: T | undefined; error: Error | undefined; reload(): Promise<void> }>

/** Loads on mount and on `reload`, which keeps the old value until the new one arrives. */
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
