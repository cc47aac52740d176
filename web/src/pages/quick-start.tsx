/** Public: this page needs no sign-in. */
import { useState } from 'preact/hooks'
import { paths } from '../page-paths.ts'
import { call } from '../api.ts'
import type { Answer } from '../operations.ts'
import { Copy } from '../parts/copy.tsx'
import { Dashboard } from '../parts/dashboard.tsx'
import { Notice } from '../parts/notice.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { callWithToken, environment, exchange, openApiUrl, rotate, signup, tools } from './quick-start-snippets.ts'
import type { Tool } from './quick-start-snippets.ts'
import { words } from './quick-start.words.ts'
import styles from './quick-start.module.css'

export function QuickStart() {
  const [tool, setTool] = useState<Tool>('curl')
  const config = useLoaded((signal) => call<Answer<'getConfig'>>('GET', '/auth/config', { signal }))
  return (
    <Dashboard title={words.title}>
      <p>{words.lead}</p>
      <fieldset class="segments">
        <legend class="visually-hidden">{words.tool}</legend>
        {tools.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="tool"
              class="visually-hidden"
              value={one}
              checked={one === tool}
              onChange={() => setTool(one)}
            />
            {one}
          </label>
        ))}
      </fieldset>
      <section class="stack">
        <h2>{words.keyTitle}</h2>
        <Text>{words.key}</Text>
        {config.value?.signup === 'closed' && <Notice kind="warn">{words.closed}</Notice>}
        <Copy key={tool} label={words.signup} text={signup[tool]} hasBar />
        <p>
          {words.haveAccount} <a href={paths.profile}>{words.apiAccess}</a>.
        </p>
        <p>{words.environmentText}</p>
        <Copy label={words.environment} text={environment} hasBar />
      </section>
      <section class="stack">
        <h2>{words.exchangeTitle}</h2>
        <Text>{words.exchange}</Text>
        <Copy key={tool} label={words.exchangeLabel} text={exchange[tool]} hasBar />
      </section>
      <section class="stack">
        <h2>{words.callTitle}</h2>
        <Text>{words.call}</Text>
        <Copy key={tool} label={words.callLabel} text={callWithToken[tool]} hasBar />
      </section>
      <section class="stack">
        <h2>{words.knowTitle}</h2>
        <dl class={`panel ${styles.know}`}>
          {words.know.map(([name, text]) => (
            <div key={name}>
              <dt>
                <Code>{name}</Code>
              </dt>
              <dd class="soft">
                <Code>{text}</Code>
              </dd>
            </div>
          ))}
        </dl>
        <Copy label={words.rotate} text={rotate} hasBar />
      </section>
      <section class="stack">
        <h2>{words.agentsTitle}</h2>
        <p>
          {words.agents} <a href={openApiUrl}>openapi.json</a>, <a href="/llms.txt">llms.txt</a>.
        </p>
        <p>
          <a href="/docs">{words.docs}</a>
        </p>
      </section>
    </Dashboard>
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
