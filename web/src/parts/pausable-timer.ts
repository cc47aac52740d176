export type PausableTimer = Readonly<{ pause(): void; resume(): void; stop(): void }>

/** Calls back once, after `ms` that were not paused. */
export function startTimer(ms: number, callBack: () => void): PausableTimer {
  let leftMs = ms
  let startedAtMs = 0
  let timeout: ReturnType<typeof setTimeout> | undefined
  const pause = (): void => {
    if (timeout === undefined) return
    clearTimeout(timeout)
    timeout = undefined
    leftMs -= performance.now() - startedAtMs
  }
  const resume = (): void => {
    if (timeout !== undefined || leftMs === 0) return
    startedAtMs = performance.now()
    timeout = setTimeout(() => {
      stop()
      callBack()
    }, leftMs)
  }
  const stop = (): void => {
    pause()
    leftMs = 0
  }
  resume()
  return { pause, resume, stop }
}
