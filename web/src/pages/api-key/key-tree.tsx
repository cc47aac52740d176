import { keyPage } from '../../page-paths.ts'
import { StatusBadge } from '../api-access/key-table.tsx'
import { KeyMay } from '../key-restrictions/key-may.tsx'
import type { KeyNode } from './key-history.ts'
import records from '../../parts/records.module.css'
import styles from '../api-key.module.css'

export const KeyTree = ({ nodes }: Readonly<{ nodes: readonly KeyNode[] }>) => (
  <ul class={styles.tree}>
    {nodes.map(({ apiKey, children }) => (
      <li key={apiKey.id}>
        <span class={records.name}>
          <a href={keyPage(apiKey.id)}>
            <bdi>{apiKey.name}</bdi>
          </a>{' '}
          <StatusBadge apiKey={apiKey} />
        </span>
        <KeyMay apiKey={apiKey} />
        {children.length > 0 && <KeyTree nodes={children} />}
      </li>
    ))}
  </ul>
)
