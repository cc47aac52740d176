/** The apps that have access to the account. Each can be ended, at once: the person can connect it again from the app. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { callSignedIn, CallError } from '../api.ts'
import type { Answer } from '../operations.ts'
import { docsUrl } from '../page-paths.ts'
import { Dashboard } from '../parts/dashboard.tsx'
import { AppMark } from '../parts/icons.tsx'
import { LoadFailure } from '../parts/load-failure.tsx'
import { showResult } from '../parts/results.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { toMoment } from '../time.ts'
import { When } from './api-access/when.tsx'
import { words } from './apps.words.ts'
import { toText } from './key-restrictions/key-may.tsx'
import styles from './apps.module.css'

type App = Answer<'GET /auth/apps'>['apps'][number]

export function Apps() {
  const apps = useLoaded('apps', async (signal) => (await callSignedIn('GET /auth/apps', { signal })).apps)
  const content = useRef<HTMLDivElement>(null)
  const [ending, setEnding] = useState<readonly string[]>([])
  useEffect(() => {
    // The row with the button that was pressed is gone. Not to the next one, which a second press would end too.
    if (document.activeElement === document.body && ending.length > 0) content.current?.focus()
    setEnding((ids) => ids.filter((id) => apps.value?.some((app) => app.id === id)))
  }, [apps.value])

  async function end({ id, domain }: App): Promise<void> {
    if (ending.includes(id)) return
    setEnding((ids) => [...ids, id])
    try {
      await callSignedIn('POST /auth/apps/{id}/revoke', { path: { id } })
    } catch (error) {
      const isGone = error instanceof CallError && error.code === 'NOT_FOUND'
      if (!isGone) {
        setEnding((ids) => ids.filter((each) => each !== id))
        // The answer may have been lost after the service had ended it.
        return showResult(words.mayLive(domain, (error as Error).message), { isFailure: true })
      }
    }
    apps.update((all) => all.filter((each) => each.id !== id))
    showResult(words.isEnded(domain))
  }

  return (
    <Dashboard title={words.title}>
      <LoadFailure of={apps} />
      <Skeleton label={words.loading} isShown={!apps.value && !apps.error} rows={3} />
      <div ref={content} tabIndex={-1} class="stack">
        {apps.value?.length === 0 && <NoApps />}
        {apps.value !== undefined && apps.value.length > 0 && (
          <>
            <p class="soft small">{words.text}</p>
            <ul class={`panel ${styles.apps}`}>
              {apps.value.map((app) => (
                <Row key={app.id} app={app} isEnding={ending.includes(app.id)} onEnd={() => void end(app)} />
              ))}
            </ul>
          </>
        )}
      </div>
    </Dashboard>
  )
}

type RowProps = Readonly<{ app: App; isEnding: boolean; onEnd(): void }>

function Row({ app, isEnding, onEnd }: RowProps) {
  const { clientId, domain, name, resource, restrictions, createdAt, lastUsedAt, expiresAt } = app
  const label = isEnding ? words.ending : words.end
  return (
    <li>
      <div class={`row apart ${styles.head}`}>
        <div class="stack tight">
          <h2 title={clientId}>{domain}</h2>
          <p class="soft small">
            {/* The name is the app's own text: its direction must not reorder ours. */}
            <bdi>{words.callsItself(name)}</bdi>
          </p>
        </div>
        <button
          type="button"
          class="button plain small"
          aria-label={words.about(label, domain, name, toMoment(createdAt))}
          aria-disabled={isEnding}
          onClick={onEnd}
        >
          {label}
        </button>
      </div>
      <dl class={styles.facts}>
        <dt>{words.may}</dt>
        <dd>{toText(restrictions)}</dd>
        <dt>{words.worksFor}</dt>
        <dd>{resource.endsWith('/mcp') ? words.tools : words.api}</dd>
        <dt>{words.since}</dt>
        <dd>{toMoment(createdAt)}</dd>
        <dt>{words.lastUsed}</dt>
        <dd>
          <When at={lastUsedAt} otherwise={words.unused} />
        </dd>
        <dt>{words.ends}</dt>
        <dd>
          <When at={expiresAt} otherwise="" />
        </dd>
      </dl>
    </li>
  )
}

const NoApps = () => (
  <section class={`panel ${styles.empty}`} aria-labelledby="no-apps">
    <div class="stack">
      <span class="sign">
        <AppMark />
      </span>
      <div class="stack tight">
        <h2 id="no-apps">{words.empty.title}</h2>
        <p class="soft">{words.empty.text}</p>
      </div>
      <a href={`${docsUrl}/agents`}>{words.empty.docs}</a>
    </div>
  </section>
)
