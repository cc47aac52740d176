import type { ComponentChildren } from 'preact'

/** The alert element is always present, so that screen readers announce its content. */
export const Failure = ({ error }: Readonly<{ error: Error | undefined }>) => (
  <div role="alert">{error && <p class="notice bad">{error.message}</p>}</div>
)

export const Notice = ({
  kind = '',
  children,
}: Readonly<{ kind?: 'good' | 'warn' | ''; children: ComponentChildren }>) => (
  <div class={`notice ${kind}`}>{children}</div>
)
