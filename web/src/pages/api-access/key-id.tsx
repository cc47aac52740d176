/** A key's public id, with a button that copies it. */
import { useEffect, useState } from 'preact/hooks'
import { CopyMark, TickMark } from '../../parts/marks.tsx'
import { words } from '../api-access.words.ts'
import type { ApiKey } from './keys.ts'

/** The id. */
export function KeyId({ apiKey }: Readonly<{ apiKey: ApiKey }>) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <span class="key-id">
      <code>{apiKey.keyId}</code>
      <button
        type="button"
        class="copy-id"
        title={words.copyId(apiKey.name)}
        aria-label={words.copyId(apiKey.name)}
        onClick={() => void navigator.clipboard.writeText(apiKey.keyId).then(() => setCopied(true))}
      >
        {isCopied ? <TickMark /> : <CopyMark />}
      </button>
      <span class="visually-hidden" role="status">
        {isCopied && words.copied}
      </span>
    </span>
  )
}
