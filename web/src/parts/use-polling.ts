import { useEffect } from 'preact/hooks'

/**
 * Calls `poll` regularly while `isOn` and the page is visible, and at once when it becomes visible again.
 * A poll that takes longer than the interval is not joined by another.
 */
export function usePolling(isOn: boolean, everyMs: number, poll: () => Promise<void>): void {
  useEffect(() => {
    if (!isOn) return undefined
    let isBusy = false
    const run = async (): Promise<void> => {
      if (isBusy || document.visibilityState !== 'visible') return
      isBusy = true
      await poll()
      isBusy = false
    }
    const timer = setInterval(run, everyMs)
    document.addEventListener('visibilitychange', run)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', run)
    }
  }, [isOn])
}
