/**
 * Calls that can be undone for ten seconds. They exist only in this page's memory: a stored call could be made later for
 * another person, or twice.
 */
import { callAs, tokenOfShownUser } from '../api.ts'
import type { CallOptions } from '../api.ts'
import type { Route } from '../operations.ts'
import { startTimer } from './pausable-timer.ts'

const UNDO_MS = 10_000
const MAX_PAUSED_MS = 60_000

export type DelayedCall = Readonly<{
  canBeUndone(): boolean
  /** Drops the call. Does nothing if it has been made. */
  undo(): void
  /** Makes the call unless it was made or undone. */
  makeNow(): void
  pause(): void
  resume(): void
  /** Calls back once, when the call can no longer be undone. */
  onSettled(callBack: () => void): void
}>

type Outcome = Readonly<{
  /** Take back what the page shows already. */
  onUndone(): void
  onDone?(): void
  /** The call was made and failed, or its answer was lost: reload what the page shows. */
  onFailed(error: Error): void
}>

const pending = new Set<DelayedCall>()
const inFlight = new Set<Promise<void>>()

function makeAllNow(): void {
  for (const each of pending) each.makeNow()
}

/** Makes all calls now, and waits for them: their token is about to end. */
export async function finishDelayedCalls(): Promise<void> {
  makeAllNow()
  await Promise.all(inFlight)
}

// Hiding is the last event that a phone delivers for certain. A page in the back-forward cache is also hidden.
addEventListener('pagehide', makeAllNow)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') makeAllNow()
})

/**
 * Makes the call in ten seconds that were not paused, or at once when the page is left or hidden.
 * @throws {CallError} OTHER_USER
 */
export function delayCall<R extends Route>(route: R, options: CallOptions<R>, outcome: Outcome): DelayedCall {
  // At the click: another tab may sign in as another user in the meantime.
  const token = tokenOfShownUser()
  const settled: (() => void)[] = []
  const settle = (): void => {
    pending.delete(delayed)
    timer.stop()
    clearTimeout(latest)
    for (const callBack of settled.splice(0)) callBack()
  }
  const make = async (): Promise<void> => {
    try {
      await callAs(token, route, { ...options, keepalive: true })
    } catch (error) {
      return outcome.onFailed(error as Error)
    }
    outcome.onDone?.()
  }
  const delayed: DelayedCall = {
    canBeUndone: () => pending.has(delayed),
    undo() {
      if (!pending.has(delayed)) return
      settle()
      outcome.onUndone()
    },
    makeNow() {
      if (!pending.has(delayed)) return
      settle()
      const made = make().finally(() => inFlight.delete(made))
      inFlight.add(made)
    },
    pause: () => timer.pause(),
    resume: () => timer.resume(),
    onSettled: (callBack) => void (pending.has(delayed) ? settled.push(callBack) : callBack()),
  }
  const timer = startTimer(UNDO_MS, delayed.makeNow)
  // A mouse that is left on the result must not keep it from being made.
  const latest = setTimeout(delayed.makeNow, UNDO_MS + MAX_PAUSED_MS)
  pending.add(delayed)
  return delayed
}
