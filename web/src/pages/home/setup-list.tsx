/** The first steps; each ticks itself. Not rendered if all were done when the page opened. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { NextMark, TickMark } from '../../parts/icons.tsx'
import { words } from '../home.words.ts'
import type { Step } from './setup-steps.ts'
import styles from '../home.module.css'

const { setup } = words

type SetupProps = Readonly<{
  steps: readonly Step[]
  /** Whether the last look for a first call reached the service. */
  isReached: boolean
  onHide(): void
}>

export function SetupList({ steps, isReached, onHide }: SetupProps) {
  const done = steps.filter(({ isDone }) => isDone).map(({ name }) => name)
  const isComplete = done.length === steps.length
  const [wasComplete] = useState(isComplete)
  const before = useRef(done)
  const [news, setNews] = useState('')
  useEffect(() => {
    const added = done.filter((name) => !before.current.includes(name))
    before.current = done
    if (added.length > 0) setNews(added.map((name) => setup.done(setup.steps[name].title)).join(' '))
  }, [done.length])
  if (wasComplete) return null
  const isWaiting = done.includes('key') && !done.includes('call')
  return (
    <section class={`panel ${styles.setup}`} aria-labelledby="setup">
      <div class="row apart">
        <div class="stack tight">
          <h2 id="setup">{isComplete ? setup.complete : setup.title}</h2>
          <p class="soft small">{setup.progress(done.length, steps.length)}</p>
        </div>
        <button type="button" class="button plain small" aria-label={setup.hideLabel} onClick={onHide}>
          {setup.hide}
        </button>
      </div>
      <ol>
        {steps.map(({ name, isDone, page }) => (
          <li key={name} class={isDone ? styles.done : ''}>
            <span class={styles.tick}>{isDone && <TickMark />}</span>
            <div class={styles.step}>
              {isDone ? (
                <strong>
                  {setup.steps[name].title} <span class="visually-hidden">{setup.isDone}</span>
                </strong>
              ) : (
                <a href={page}>{setup.steps[name].title}</a>
              )}
              <span class="soft small">
                {name === 'call' && isWaiting ? <Waiting isReached={isReached} /> : setup.steps[name].text}
              </span>
            </div>
            {!isDone && <NextMark />}
          </li>
        ))}
      </ol>
      <p role="status" class="visually-hidden">
        {news}
      </p>
    </section>
  )
}

const Waiting = ({ isReached }: Readonly<{ isReached: boolean }>) =>
  isReached ? <span class={styles.waiting}>{setup.waiting}</span> : <>{setup.unreached}</>
