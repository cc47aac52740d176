import { useState } from 'preact/hooks'
import { locale, toAmountText } from '../payment-links/money.ts'
import { draftOf, readDraft } from './draft.ts'
import type { Draft, Problem, Restrictions, Scope } from './draft.ts'

/**
 * The state of the fields of `RestrictionFields`, starting from what a key may do now.
 * @param offered the scopes to choose from, where there are no presets
 */
export function useRestrictions(now: Restrictions | undefined, offered?: readonly Scope[]) {
  const [first] = useState<Draft>(() => ({ ...draftOf(now, toAmountText), ...(offered && { preset: 'chosen' }) }))
  const [draft, setDraft] = useState(first)
  // An object, so that the same problem takes the focus again.
  const [problem, setProblem] = useState<Readonly<{ at: Problem }>>()
  return {
    fields: {
      draft,
      problem,
      ...(offered && { offered }),
      onChange(changed: Draft) {
        setProblem(undefined)
        setDraft(changed)
      },
    },
    isChanged: draft !== first,
    /** Calls `use` unless a field is wrong. */
    submit(use: (restrictions: Restrictions | null) => void) {
      const read = readDraft(draft, locale)
      if (read.problem === undefined) use(read.restrictions)
      else setProblem({ at: read.problem })
    },
  }
}
