/** What went well or wrong, said where it happened, and read out. */
import type { ComponentChildren } from 'preact'

/** A refusal; nothing when there is none. */
export const Failure = ({ error }: Readonly<{ error: Error | undefined }>) => (
  <div role="alert">{error && <p class="notice bad">{error.message}</p>}</div>
)

/** A message. */
export const Notice = ({
  kind = '',
  children,
}: Readonly<{ kind?: 'good' | 'warn' | ''; children: ComponentChildren }>) => (
  <div class={`notice ${kind}`}>{children}</div>
)
