/** Shown while the account has no keys: explains what a key is for and how to use it. */
import { baseUrl } from '../../api.ts'
import { paths } from '../../page-paths.ts'
import { Copy } from '../../parts/copy.tsx'
import { KeyMark } from '../../parts/icons.tsx'
import { curlCall, curlExchange } from '../../samples/curl.ts'
import { placeholderKey } from '../../samples/sample.ts'
import { words } from '../api-access.words.ts'
import styles from '../api-access.module.css'

const { empty } = words
const examples = [
  undefined,
  { label: empty.exchange, text: curlExchange({ baseUrl, ...placeholderKey }) },
  { label: empty.call, text: curlCall(baseUrl) },
]

export const NoKeys = ({ onCreate }: Readonly<{ onCreate(): void }>) => (
  <section class={`panel ${styles['no-keys']}`} aria-labelledby="no-keys">
    <div class="stack">
      <span class="sign">
        <KeyMark />
      </span>
      <div class="stack tight">
        <h3 id="no-keys">{empty.title}</h3>
        <p class="soft">{empty.text}</p>
      </div>
      <div class="row">
        <button type="button" class="button" onClick={onCreate}>
          {words.create}
        </button>
        <a class="small" href={paths.quickStart}>
          {words.quickStart}
        </a>
      </div>
    </div>
    <ol class={styles.steps}>
      {empty.steps.map(({ title, text }, index) => {
        const example = examples[index]
        return (
          <li key={title} class="stack tight">
            <h4>{title}</h4>
            <p class="soft small">{text}</p>
            {example && <Copy label={example.label} text={example.text} hasBar />}
          </li>
        )
      })}
    </ol>
  </section>
)
