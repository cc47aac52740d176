/** A key's public id, with a button that copies it. */
import { CopyMark, TickMark } from '../../parts/marks.tsx'
import { useCopied } from '../../parts/use-copied.ts'
import { words } from '../api-access.words.ts'
import type { ApiKey } from './keys.ts'

/** The id. */
export function KeyId({ apiKey }: Readonly<{ apiKey: ApiKey }>) {
  const [copied, copy, shown] = useCopied<HTMLElement>(apiKey.keyId)
  return (
    <span class="key-id">
      <code ref={shown}>{apiKey.keyId}</code>
      <button
        type="button"
        class="copy-icon"
        title={words.copyId(apiKey.name)}
        aria-label={words.copyId(apiKey.name)}
        onClick={copy}
      >
        {copied === 'yes' ? <TickMark /> : <CopyMark />}
      </button>
      <span class={copied === 'refused' ? 'small' : 'visually-hidden'} role="status">
        {copied === 'yes' ? words.copied : copied === 'refused' ? words.copyByHand : ''}
      </span>
    </span>
  )
}
