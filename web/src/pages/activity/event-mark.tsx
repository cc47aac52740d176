import type { ComponentType } from 'preact'
import type { EventType } from '../../event-kinds.ts'
import { KeyMark, LinkMark, PersonMark, SignInMark, WarningMark } from '../../parts/icons.tsx'
import { RoundMark } from '../../parts/round-mark.tsx'
import { kindOf } from '../../event-kinds.ts'

const marks = { sign_in: SignInMark, api_key: KeyMark, payment_link: LinkMark, account: PersonMark } as const

/** @param isOpen whether the user has yet to check the event */
export function EventMark({ type, isOpen }: Readonly<{ type: EventType; isOpen: boolean }>) {
  // A page loaded before an update may receive a newer type.
  const Mark = (marks as Readonly<Record<string, ComponentType>>)[kindOf[type]] ?? PersonMark
  return <RoundMark isWarning={isOpen}>{isOpen ? <WarningMark /> : <Mark />}</RoundMark>
}
