/** Text to take along: shown as it is, with a button that copies it. */
import { useEffect, useState } from 'preact/hooks'
import { inLanguage } from '../language.ts'

const words = inLanguage({
  en: { copy: 'Copy', copied: 'Copied', what: (label: string) => `Copy: ${label}` },
  ro: { copy: 'Copiază', copied: 'Copiat', what: (label: string) => `Copiază: ${label}` },
})

/**
 * Shows it.
 * @param label what it is, for whoever does not see it
 * @param hasBar puts the label and the button above the text, which then has all the width and is wrapped
 */
export function Copy({ label, text, hasBar = false }: Readonly<{ label: string; text: string; hasBar?: boolean }>) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const isOneLine = !text.includes('\n')
  return (
    <div class={hasBar ? 'code barred' : isOneLine ? 'code one-line' : 'code'}>
      {hasBar && (
        <div class="code-bar" aria-hidden="true">
          {label}
        </div>
      )}
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
