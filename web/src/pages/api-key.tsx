/** One API key: what it may do, who created it, the keys it created and its activity. */
import { useRef } from 'preact/hooks'
import { paths } from '../page-paths.ts'
import { Dashboard } from '../parts/dashboard.tsx'
import { KeyMark } from '../parts/icons.tsx'
import { LoadFailure } from '../parts/load-failure.tsx'
import { Failure } from '../parts/notice.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { useAction } from '../parts/use-action.ts'
import { words as keyWords } from './api-access.words.ts'
import { KeyButton } from './api-access/key-table.tsx'
import { isLive, keepKey, useKeys } from './api-access/keys.ts'
import type { ApiKey } from './api-access/keys.ts'
import { useKeyDialogs } from './api-access/use-key-dialogs.tsx'
import { words } from './api-key.words.ts'
import { KeyEvents } from './api-key/key-events.tsx'
import { KeyFacts } from './api-key/key-facts.tsx'
import { useKeyHistory } from './api-key/key-history.ts'
import { KeyTree } from './api-key/key-tree.tsx'
import { UsesChart } from './api-key/uses-chart.tsx'
import styles from './api-key.module.css'

export function KeyPage() {
  const id = location.pathname.split('/').at(-1) ?? ''
  const keys = useKeys()
  const apiKey = keys.value?.find((key) => key.id === id)
  return (
    <Dashboard title={apiKey?.name ?? words.title}>
      <p class={styles.back}>
        <a href={paths.profile}>
          <span aria-hidden="true">← </span>
          {words.back}
        </a>
      </p>
      <LoadFailure of={keys} />
      <Skeleton label={words.loading} isShown={!keys.value && !keys.error} rows={5} />
      {keys.value && (apiKey ? <Key apiKey={apiKey} keys={keys.value} onChanged={keys.reload} /> : <UnknownKey />)}
    </Dashboard>
  )
}

type KeyProps = Readonly<{ apiKey: ApiKey; keys: readonly ApiKey[]; onChanged(): Promise<void> }>

function Key({ apiKey, keys, onChanged }: KeyProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const history = useKeyHistory(apiKey.id)
  const reload = async (): Promise<void> => {
    await Promise.all([onChanged(), history.reload()])
  }
  const { choose, finish, dialog } = useKeyDialogs(reload, heading)
  const keep = useAction(async () => {
    await keepKey(apiKey)
    await finish(keyWords.isKept(apiKey.name))
  })
  const { value } = history
  return (
    <>
      <section class="panel" aria-labelledby="details">
        <div class="row apart">
          <h2 id="details" ref={heading} tabIndex={-1}>
            {words.details}
          </h2>
          {isLive(apiKey) && (
            <div class={`row ${styles.acts}`}>
              {apiKey.status === 'AWAITS_OWNER' ? (
                <KeyButton apiKey={apiKey} label={keyWords.keep} isBusy={keep.isBusy} onClick={() => keep.run()} />
              ) : (
                <>
                  <KeyButton apiKey={apiKey} label={words.change} onClick={() => choose('change', apiKey)} />
                  <KeyButton apiKey={apiKey} label={keyWords.rotate} onClick={() => choose('rotate', apiKey)} />
                </>
              )}
              <KeyButton apiKey={apiKey} label={keyWords.revoke} onClick={() => choose('revoke', apiKey)} />
            </div>
          )}
        </div>
        <KeyFacts
          apiKey={apiKey}
          creation={value && { event: value.creation }}
          lastUsedNetwork={value?.uses.lastUsedNetwork}
          maker={keys.find(({ id }) => id === value?.creation?.byApiKeyId)}
        />
        {keep.error && <Failure error={keep.error} />}
      </section>
      <LoadFailure of={history} />
      <Skeleton label={words.loadingHistory} isShown={!value && !history.error} rows={3} />
      {value && (
        <>
          <section class="stack tight" aria-labelledby="uses">
            <h2 id="uses">{words.uses.title}</h2>
            <UsesChart days={value.uses.days} />
          </section>
          <section class="stack tight" aria-labelledby="descendants">
            <h2 id="descendants">{words.descendants}</h2>
            {value.children.length === 0 ? (
              <p class="soft">{words.noDescendants}</p>
            ) : (
              <div class="panel">
                <div>
                  <KeyTree nodes={value.children} />
                </div>
              </div>
            )}
          </section>
          <section class="stack tight" aria-labelledby="events">
            <h2 id="events">{words.events}</h2>
            {value.events.length === 0 ? (
              <p class="soft">{words.noEvents}</p>
            ) : (
              <KeyEvents apiKey={apiKey} events={value.events} keys={keys} />
            )}
            <a class="small start" href={`${paths.activity}?kind=api_key`}>
              {words.allEvents}
            </a>
          </section>
        </>
      )}
      {dialog}
    </>
  )
}

const UnknownKey = () => (
  <div class={`panel ${styles.unknown}`}>
    <div class="stack">
      <span class="sign">
        <KeyMark />
      </span>
      <div class="stack tight">
        <h2>{words.unknown}</h2>
        <p class="soft">{words.unknownText}</p>
      </div>
    </div>
  </div>
)
