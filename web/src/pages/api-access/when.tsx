import { toMoment, toRelative } from '../../time.ts'

/** A relative time, with the exact time as tooltip; `otherwise` if there is none. */
export const When = ({ at, otherwise }: Readonly<{ at: string | null; otherwise: string }>) =>
  at === null ? (
    <>{otherwise}</>
  ) : (
    <time dateTime={at} title={toMoment(at)}>
      {toRelative(at)}
    </time>
  )
