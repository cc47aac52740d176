import { inLanguage } from '../language.ts'
import { Failure } from './notice.tsx'

const words = inLanguage({ en: { retry: 'Try again' }, ro: { retry: 'Încearcă din nou' } })

/** Shows the error with a retry button; renders nothing without an error. */
export const LoadFailure = ({
  of: { error, retry },
}: Readonly<{ of: { error: Error | undefined; retry: () => Promise<unknown> } }>) => (
  <>
    <Failure error={error} />
    {error && (
      <button type="button" class="button plain start" onClick={() => void retry()}>
        {words.retry}
      </button>
    )}
  </>
)
