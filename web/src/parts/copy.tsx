import { inLanguage } from '../language.ts'
import { useCopied } from './use-copied.ts'
import styles from './copy.module.css'

const words = inLanguage({
  en: {
    copy: 'Copy',
    copied: 'Copied',
    what: (label: string) => `Copy: ${label}`,
    byHand: 'This browser does not allow copying. The text is selected: copy it by hand.',
  },
  ro: {
    copy: 'Copiază',
    copied: 'Copiat',
    what: (label: string) => `Copiază: ${label}`,
    byHand: 'Browserul nu permite copierea. Textul este selectat: copiază-l manual.',
  },
})

type CopyProps = Readonly<{
  /** Accessible name. */
  label: string
  text: string
  /** Puts label and button above the text, which then wraps. */
  hasBar?: boolean
  /** Keeps the lines, whose indentation matters; long ones scroll. */
  isProgram?: boolean
}>

/** Preformatted text with a copy button. */
export function Copy({ label, text, hasBar = false, isProgram = false }: CopyProps) {
  const [copied, copy, shown] = useCopied<HTMLElement>(text)
  const isCopied = copied === 'yes'
  const isOneLine = !text.includes('\n')
  const kinds = [styles.code, hasBar && styles.barred, isProgram && styles.program]
  if (!hasBar && isOneLine) kinds.push(styles['one-line'])
  return (
    <div class={kinds.filter(Boolean).join(' ')}>
      {hasBar && (
        <div class={styles.bar} aria-hidden="true">
          {label}
        </div>
      )}
      <pre tabIndex={0} role="group" aria-label={label}>
        <code ref={shown}>{text}</code>
      </pre>
      <button
        type="button"
        class="button plain small"
        aria-label={isCopied ? words.copied : words.what(label)}
        onClick={copy}
      >
        <span role="status">{isCopied ? words.copied : words.copy}</span>
      </button>
      <p role="alert" class={`small ${styles['by-hand']}`}>
        {copied === 'refused' && words.byHand}
      </p>
    </div>
  )
}
