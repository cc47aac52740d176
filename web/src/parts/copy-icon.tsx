import { inLanguage } from '../language.ts'
import { CopyMark, TickMark } from './icons.tsx'
import type { Copied } from './use-copied.ts'
import styles from './copy-icon.module.css'

const words = inLanguage({ en: { copied: 'Copied' }, ro: { copied: 'Copiat' } })

type CopyIconProps = Readonly<{
  /** Accessible name. */
  label: string
  copied: Copied
  /** Instruction if the browser refuses to copy. */
  byHand: string
  onCopy(): void
}>

export const CopyIcon = ({ label, copied, byHand, onCopy }: CopyIconProps) => (
  <>
    <button type="button" class={styles.icon} title={label} aria-label={label} onClick={onCopy}>
      {copied === 'yes' ? <TickMark /> : <CopyMark />}
    </button>
    <span class={copied === 'refused' ? 'small' : 'visually-hidden'} role="status">
      {copied === 'yes' ? words.copied : copied === 'refused' ? byHand : ''}
    </span>
  </>
)
