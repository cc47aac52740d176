/** Where a sign-in ends: the first steps, what happened last, and what expires soon. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { paths } from '../page-paths.ts'
import { readEvents } from '../events.ts'
import { Dashboard } from '../parts/dashboard.tsx'
import { LoadFailure } from '../parts/load-failure.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import type { Loaded } from '../parts/use-loaded.ts'
import { usePolling } from '../parts/use-polling.ts'
import { HIDDEN_SETUP } from '../session.ts'
import { settings } from '../settings.ts'
import { storage } from '../storage.ts'
import { useUser } from '../user.ts'
import { listKeys, useKeys } from './api-access/keys.ts'
import { Expiring } from './home/expiring.tsx'
import { findExpiring } from './home/find-expiring.ts'
import { RecentEvents } from './home/recent-events.tsx'
import { SetupList } from './home/setup-list.tsx'
import { findSteps } from './home/setup-steps.ts'
import { words } from './home.words.ts'
import { findLinks } from './payment-links/links.ts'
import type { ListOfLinks } from './payment-links/links.ts'
import { useConnection } from './profile/google-connection.tsx'
import styles from './home.module.css'

const EVENTS = 5
const POLL_MS = 4000
const OPEN_PAGES = 3

type Source = Pick<Loaded<unknown>, 'value' | 'error' | 'retry'>

export function Home() {
  const user = useUser()
  const keys = useKeys()
  const links = useLoaded('links of Home', readLinks)
  const events = useLoaded('last events', (signal) => readEvents(null, EVENTS, signal))
  const google = useConnection()
  const [isReached, setReached] = useState(true)
  const [isHidden, setHidden] = useState(false)

  const sources = [user, keys, links, events, google]
  const steps =
    user.value && keys.value && links.value && google.value !== undefined
      ? findSteps(user.value, keys.value, links.value.newest, settings.google ? google.value : undefined)
      : undefined
  const isCalled = steps?.some(({ name, isDone }) => name === 'call' && isDone)
  const isShown = !isHidden && storage.read(HIDDEN_SETUP) !== user.value?.id

  usePolling(isShown && isCalled === false, POLL_MS, async () => {
    const read = await listKeys().catch(() => undefined)
    setReached(read !== undefined)
    if (!read) return
    // Before the list, so that what ticked a step is among the events.
    await events.reload()
    keys.update(() => read)
  })
  const wasCalled = useRef(isCalled)
  useEffect(() => {
    const isFirst = isCalled && wasCalled.current === false
    wasCalled.current = isCalled
    if (!isFirst) return
    // The call may have created a payment link.
    void links.reload()
    void events.reload()
  }, [isCalled])

  const isLoading = sources.some(({ value, error }) => value === undefined && error === undefined)
  return (
    <Dashboard title={words.title}>
      <Skeleton label={words.loading} isShown={isLoading} rows={5} />
      {/* All at once, so that no part moves another. */}
      {!isLoading && (
        <>
          {isShown && (
            <Part of={[user, keys, links, google]}>
              {steps && (
                <SetupList
                  steps={steps}
                  isReached={isReached}
                  onHide={() => {
                    if (user.value) storage.write(HIDDEN_SETUP, user.value.id)
                    setHidden(true)
                    document.getElementById('content')?.focus()
                  }}
                />
              )}
            </Part>
          )}
          <div class={styles.columns}>
            <section class="stack" aria-labelledby="recent">
              <div class="row apart">
                <h2 id="recent">{words.recent}</h2>
                <a class="small" href={paths.activity}>
                  {words.all}
                </a>
              </div>
              <Part of={[events, keys]}>
                {events.value && keys.value && <RecentEvents events={events.value.events} keys={keys.value} />}
              </Part>
            </section>
            <section class="stack" aria-labelledby="expiring">
              <h2 id="expiring">{words.expiring}</h2>
              <Part of={[keys, links]}>
                {keys.value && links.value && (
                  <Expiring
                    items={findExpiring(keys.value, links.value.open.paymentLinks, Date.now())}
                    searched={links.value.open.nextCursor === null ? undefined : links.value.open.paymentLinks.length}
                  />
                )}
              </Part>
            </section>
          </div>
        </>
      )}
    </Dashboard>
  )
}

/** `open` has every open link of an account with up to `OPEN_PAGES` pages of them. */
async function readLinks(signal: AbortSignal): Promise<Readonly<{ newest: ListOfLinks; open: ListOfLinks }>> {
  // The original amounts are shown, so any currency will do.
  const asked = { currency: 'RON', status: undefined, search: '' } as const
  const newest = await findLinks(asked, signal)
  if (newest.nextCursor === null) return { newest, open: newest }
  const all = { enough: Infinity, maxCalls: OPEN_PAGES }
  return { newest, open: await findLinks({ ...asked, status: 'ACTIVE' }, signal, undefined, all) }
}

/** What its sources show, or the first error among them, with a retry of those that failed. */
function Part({ of: sources, children }: Readonly<{ of: readonly Source[]; children: ComponentChildren }>) {
  const failed = sources.filter(({ error }) => error !== undefined)
  const retry = async (): Promise<void> => void (await Promise.all(failed.map((each) => each.retry())))
  return (
    <>
      {children}
      <LoadFailure of={{ error: failed[0]?.error, retry }} />
    </>
  )
}
