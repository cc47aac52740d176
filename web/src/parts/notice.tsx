import type { ComponentChildren } from 'preact'
import { CallError } from '../api.ts'
import { inLanguage } from '../language.ts'

const words = inLanguage({ en: { reload: 'Reload page' }, ro: { reload: 'Reîncarcă pagina' } })

// The dialog's actions, which stay in view, may cover it.
function showInDialog(notice: HTMLElement | null): void {
  if (notice?.closest('dialog')) notice.scrollIntoView({ block: 'nearest' })
}

/** The alert element is always present, so that screen readers announce its content. */
export const Failure = ({ error }: Readonly<{ error: Error | undefined }>) => (
  <div role="alert">
    {error && (
      <div class="notice bad stack tight" ref={showInDialog}>
        <p>{error.message}</p>
        {error instanceof CallError && error.code === 'OTHER_USER' && (
          <button type="button" class="button plain small start" onClick={() => location.reload()}>
            {words.reload}
          </button>
        )}
      </div>
    )}
  </div>
)

export const Notice = ({
  kind = '',
  children,
}: Readonly<{ kind?: 'good' | 'warn' | ''; children: ComponentChildren }>) => (
  <div class={`notice ${kind}`}>{children}</div>
)
