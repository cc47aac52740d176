import { useEffect, useState } from 'preact/hooks'

const AFTER_MS = 1000

/**
 * False for a moment whenever the page comes into view or gets the focus: a page that was in front could have lured the
 * person into a double click, or a key press, whose second half lands here.
 */
export function useArmed(): boolean {
  const [isArmed, setArmed] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const arm = (): void => {
      setArmed(false)
      clearTimeout(timer)
      if (document.visibilityState === 'visible') timer = setTimeout(() => setArmed(true), AFTER_MS)
    }
    arm()
    addEventListener('focus', arm)
    document.addEventListener('visibilitychange', arm)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', arm)
      document.removeEventListener('visibilitychange', arm)
    }
  }, [])
  return isArmed
}
