import { useEffect, useState } from 'preact/hooks'

/** Returns the seconds left and a function that starts the countdown. */
export function useCountdown(): readonly [number, (seconds: number) => void] {
  const [endsAtMs, setEndsAtMs] = useState(0)
  const [nowMs, setNowMs] = useState(0)
  useEffect(() => {
    if (endsAtMs <= Date.now()) return undefined
    // Uses the clock, because browsers throttle timers of background tabs.
    const timer = setInterval(() => {
      setNowMs(Date.now())
      if (Date.now() >= endsAtMs) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [endsAtMs])
  const start = (seconds: number): void => {
    const startsAtMs = Date.now()
    setNowMs(startsAtMs)
    setEndsAtMs(startsAtMs + seconds * 1000)
  }
  return [Math.max(0, Math.ceil((endsAtMs - nowMs) / 1000)), start]
}
