import type { ComponentChildren } from 'preact'
import styles from './round-mark.module.css'

type RoundMarkProps = Readonly<{ isWarning?: boolean; children: ComponentChildren }>

/** An icon on a disc, at the start of a row. */
export const RoundMark = ({ isWarning = false, children }: RoundMarkProps) => (
  <span class={`${styles.mark} ${isWarning ? styles.warning : ''}`}>{children}</span>
)
