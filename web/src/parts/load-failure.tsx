import { inLanguage } from '../language.ts'
import { Failure } from './notice.tsx'
import type { Loaded } from './use-loaded.ts'

const words = inLanguage({ en: { retry: 'Try again' }, ro: { retry: 'Încearcă din nou' } })

/** Shows the error with a retry button; renders nothing without an error. */
export const LoadFailure = ({ of: { error, retry } }: Readonly<{ of: Pick<Loaded<unknown>, 'error' | 'retry'> }>) => (
  <>
    <Failure error={error} />
    {error && (
      <button type="button" class="button plain start" onClick={() => void retry()}>
        {words.retry}
      </button>
    )}
  </>
)
