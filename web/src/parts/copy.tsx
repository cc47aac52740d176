/** Text to take along: shown as it is, with a button that copies it. */
import { useEffect, useState } from 'preact/hooks'
import { inLanguage } from '../language.ts'

const words = inLanguage({
  en: { copy: 'Copy', copied: 'Copied', what: (label: string) => `Copy: ${label}` },
  ro: { copy: 'Copiază', copied: 'Copiat', what: (label: string) => `Copiază: ${label}` },
})

/** Shows it. @param label what it is, for whoever does not see it */
export function Copy({ label, text }: Readonly<{ label: string; text: string }>) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const isOneLine = !text.includes('\n')
  return (
    <div class={isOneLine ? 'code one-line' : 'code'}>
      <pre tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <button
        type="button"
        class="button plain small"
        aria-label={isCopied ? words.copied : words.what(label)}
        onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      >
        <span role="status">{isCopied ? words.copied : words.copy}</span>
      </button>
    </div>
  )
}
