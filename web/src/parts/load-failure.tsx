/** What a page is about could not be read: why, and the way to try again. */
import { inLanguage } from '../language.ts'
import { Failure } from './notice.tsx'
import type { Loaded } from './use-loaded.ts'

const words = inLanguage({ en: { retry: 'Try again' }, ro: { retry: 'Încearcă din nou' } })

/** Shows it; nothing when it could be read. */
export const LoadFailure = ({ of: { error, reload } }: Readonly<{ of: Pick<Loaded<unknown>, 'error' | 'reload'> }>) => (
  <>
    <Failure error={error} />
    {error && (
      <button type="button" class="button plain start" onClick={() => void reload()}>
        {words.retry}
      </button>
    )}
  </>
)
