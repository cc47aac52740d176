/** A time in a few words, and exactly for whoever points at it. */
import { toMoment, toRelative } from '../../time.ts'

/** The time; the words, where there is none. */
export const When = ({ at, otherwise }: Readonly<{ at: string | null; otherwise: string }>) =>
  at === null ? (
    <>{otherwise}</>
  ) : (
    <time dateTime={at} title={toMoment(at)}>
      {toRelative(at)}
    </time>
  )
