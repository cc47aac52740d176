import { useRef, useState } from 'preact/hooks'
import { isSignedOut } from '../../api.ts'
import { signInFor } from '../../page-paths.ts'
import { showResult } from '../../parts/results.tsx'
import type { DelayedCall } from '../../parts/delayed-calls.ts'
import { words } from '../payment-links.words.ts'
import { deactivateLater, readStatus } from './links.ts'
import type { LinkStatus, PaymentLink } from './links.ts'

export type Ending = Readonly<{
  /** Whether the link will be deactivated unless that is undone, or is being deactivated. */
  stateOf(link: PaymentLink): 'undoable' | 'called' | undefined
  start(link: PaymentLink): void
  undo(link: PaymentLink): void
}>

const MAX_TITLE_LENGTH = 30

// A long title would cover the row on a phone.
function shorten(title: string): string {
  const characters = Array.from(new Intl.Segmenter().segment(title), ({ segment }) => segment)
  return characters.length > MAX_TITLE_LENGTH
    ? `${characters
        .slice(0, MAX_TITLE_LENGTH - 1)
        .join('')
        .trimEnd()}…`
    : title
}

/** Payment links that are shown as ending while their deactivation can be undone. */
export function useEnding(onEnded: (link: PaymentLink, status: LinkStatus) => void): Ending {
  const calls = useRef(new Map<string, DelayedCall>())
  const [, render] = useState(0)
  const change = (act: () => void): void => {
    act()
    render((count) => count + 1)
  }
  const end = ({ id }: PaymentLink) => change(() => calls.current.delete(id))
  // Called seconds later, when this page has changed.
  const latest = useRef(onEnded)
  latest.current = onEnded
  return {
    stateOf({ id }) {
      const call = calls.current.get(id)
      return call && (call.canBeUndone() ? 'undoable' : 'called')
    },
    start(link) {
      if (calls.current.has(link.id)) return
      const title = shorten(link.title)
      const undo = deactivateLater(link, {
        onUndone() {
          end(link)
          showResult(words.isKept(title))
        },
        onDone() {
          end(link)
          latest.current(link, 'INACTIVE')
        },
        async onFailed(error) {
          // The answer may be lost after the service has acted on the call.
          const isRefused = isSignedOut(error)
          const status = isRefused ? link.status : await readStatus(link)
          end(link)
          if (status !== undefined && status !== 'ACTIVE') return latest.current(link, status)
          const text = status ? words.isNotDeactivated : words.isUnknown
          const signIn = { url: signInFor(location.pathname), text: words.signIn }
          showResult(text(title, error.message), { isFailure: true, ...(isRefused && { link: signIn }) })
        },
      })
      change(() => calls.current.set(link.id, undo))
      undo.onSettled(() => change(() => {}))
      showResult(words.isEnding(title), { undo })
    },
    undo: ({ id }) => calls.current.get(id)?.undo(),
  }
}
