/** Public: this page needs no sign-in. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { paths, signInFor } from '../page-paths.ts'
import { baseUrl, call } from '../api.ts'
import { Copy } from '../parts/copy.tsx'
import { Dashboard } from '../parts/dashboard.tsx'
import { useUnsavedSecret } from '../parts/modal.tsx'
import { Notice } from '../parts/notice.tsx'
import { SampleTabs } from '../parts/sample-tabs.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { curlRotate, curlSignup } from '../samples/curl.ts'
import { placeholderKey } from '../samples/sample.ts'
import { currentToken } from '../session.ts'
import { CreateKey } from './api-access/create-key.tsx'
import type { Credentials } from './api-access/keys.ts'
import { words } from './quick-start.words.ts'
import styles from './quick-start.module.css'

export function QuickStart() {
  // In memory only: the key is gone when the page is left.
  const [key, setKey] = useState<Credentials>()
  const values = { baseUrl, ...(key ?? placeholderKey) }
  useUnsavedSecret(key !== undefined)
  return (
    <Dashboard title={words.title}>
      <p>{words.lead}</p>
      <section class="stack">
        <h2>{words.keyTitle}</h2>
        {currentToken() === undefined ? <SignInFirst /> : <OwnKey shown={key} onChanged={setKey} />}
      </section>
      <section class="stack">
        <h2>{words.callTitle}</h2>
        <Text>{words.call}</Text>
        <SampleTabs values={values} />
      </section>
      <section class="stack">
        <h2>{words.knowTitle}</h2>
        <dl class={`panel ${styles.know}`}>
          {words.know.map(([name, text, profileLink]) => (
            <div key={name}>
              <dt>
                <Code>{name}</Code>
              </dt>
              <dd class="soft">
                <Code>{text}</Code> {profileLink && <a href={paths.profile}>{profileLink}</a>}
              </dd>
            </div>
          ))}
        </dl>
        <Copy label={words.rotate} text={curlRotate(values)} hasBar />
      </section>
      <Agents />
    </Dashboard>
  )
}

const SignInFirst = () => (
  <>
    <p>{words.signedOut}</p>
    <a class="button start" href={signInFor(paths.quickStart)}>
      {words.signIn}
    </a>
  </>
)

type OwnKeyProps = Readonly<{ shown: Credentials | undefined; onChanged(key: Credentials | undefined): void }>

function OwnKey({ shown, onChanged }: OwnKeyProps) {
  const [isCreating, setCreating] = useState(false)
  const [stored, setStored] = useState('')
  const panel = useRef<HTMLDivElement>(null)
  const outcome = useRef<HTMLDivElement>(null)
  // Each replaces the button that had the focus.
  useEffect(() => panel.current?.focus(), [shown])
  useEffect(() => {
    if (stored !== '') outcome.current?.focus()
  }, [stored])
  return (
    <>
      {shown ? (
        <div ref={panel} tabIndex={-1} role="group" aria-label={words.filledTitle(shown.name)} class="stack">
          <Notice kind="warn">{words.filled(shown.name)}</Notice>
          <Copy label={words.keyId} text={shown.keyId} hasBar />
          <Copy label={words.keySecret} text={shown.keySecret} hasBar />
          <button
            type="button"
            class="button start"
            onClick={() => {
              onChanged(undefined)
              setStored(shown.name)
            }}
          >
            {words.done}
          </button>
        </div>
      ) : (
        <>
          <Text>{words.key}</Text>
          <button
            type="button"
            class="button start"
            onClick={() => {
              setStored('')
              setCreating(true)
            }}
          >
            {words.create}
          </button>
        </>
      )}
      <div ref={outcome} role="status" tabIndex={-1}>
        {stored !== '' && !shown && <p class="notice good">{words.stored(stored)}</p>}
      </div>
      {isCreating && (
        <CreateKey
          onClose={() => setCreating(false)}
          onFailed={() => {}}
          onCreated={(created) => {
            setCreating(false)
            onChanged(created)
          }}
        />
      )}
    </>
  )
}

function Agents() {
  const config = useLoaded('configuration', (signal) => call('GET /auth/config', { signal }))
  return (
    <section class="stack">
      <h2>{words.agentsTitle}</h2>
      <p>
        {words.agents} <a href={`${baseUrl}/openapi.json`}>openapi.json</a>, <a href="/llms.txt">llms.txt</a>.
      </p>
      {config.value?.signup === 'closed' ? (
        <Notice kind="warn">{words.closed}</Notice>
      ) : (
        <>
          <Text>{words.signupText}</Text>
          <Copy label={words.signup} text={curlSignup(baseUrl)} hasBar />
        </>
      )}
      <p>
        <a href="/docs">{words.docs}</a>
      </p>
    </section>
  )
}

const Text = ({ children }: Readonly<{ children: string }>) => (
  <p>
    <Code>{children}</Code>
  </p>
)

// Splitting at backticks puts the code at odd indices.
const Code = ({ children }: Readonly<{ children: string }>) => (
  <>{children.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
)
