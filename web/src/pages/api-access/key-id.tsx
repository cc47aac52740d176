import { CopyIcon } from '../../parts/copy-icon.tsx'
import { useCopied } from '../../parts/use-copied.ts'
import { words } from '../api-access.words.ts'
import type { ApiKey } from './keys.ts'
import styles from '../api-access.module.css'

export function KeyId({ apiKey }: Readonly<{ apiKey: ApiKey }>) {
  const [copied, copy, shown] = useCopied<HTMLElement>(apiKey.keyId)
  return (
    <span class={styles['key-id']}>
      <code ref={shown}>{apiKey.keyId}</code>
      <CopyIcon label={words.copyId(apiKey.name)} copied={copied} byHand={words.copyByHand} onCopy={copy} />
    </span>
  )
}
