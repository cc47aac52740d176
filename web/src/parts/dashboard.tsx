/** Layout of the pages behind the sign-in. */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { paths, goTo } from '../page-paths.ts'
import { inLanguage } from '../language.ts'
import { currentToken, forgetToken, onSessionChange } from '../session.ts'
import { ActivityMark, LinkMark, PersonMark, PromptMark } from './icons.tsx'
import { afterDialogsClose } from './modal.tsx'
import { Brand, LanguageChoice, useTitle } from './card-page.tsx'
import { useLoaded } from './use-loaded.ts'
import { readUser } from '../user.ts'
import type { User } from '../user.ts'
import styles from './dashboard.module.css'

const words = inLanguage({
  en: {
    sections: 'Sections',
    skip: 'Skip to the content',
    profile: 'Profile',
    paymentLinks: 'Payment links',
    activity: 'Activity',
    quickStart: 'Quick start',
    signOut: 'Sign out',
    signIn: 'Sign in',
  },
  ro: {
    sections: 'Secțiuni',
    skip: 'Sari la conținut',
    profile: 'Profil',
    paymentLinks: 'Linkuri de plată',
    activity: 'Activitate',
    quickStart: 'Primii pași',
    signOut: 'Ieși din cont',
    signIn: 'Autentificare',
  },
})

const sections = [
  { page: paths.profile, name: words.profile, Mark: PersonMark },
  { page: paths.paymentLinks, name: words.paymentLinks, Mark: LinkMark },
  { page: paths.activity, name: words.activity, Mark: ActivityMark },
  { page: paths.quickStart, name: words.quickStart, Mark: PromptMark },
]

type DashboardProps = Readonly<{
  title: string
  /** Beside the title, for example the page's main button. */
  aside?: ComponentChildren
  /** If given, the page reads the user itself; null while it loads. */
  user?: User | null
  children: ComponentChildren
}>

/** Works without a sign-in too, for the quick start. */
export function Dashboard({ title, aside, user, children }: DashboardProps) {
  useTitle(title)
  const isSignedIn = currentToken() !== undefined
  // No error is shown here: the page itself fails to load and shows it.
  const own = useLoaded(async (signal) => (isSignedIn && user === undefined ? readUser(signal) : undefined))
  const current = useRef<HTMLAnchorElement>(null)
  // On a phone the navigation is a row wider than the screen.
  useLayoutEffect(() => current.current?.scrollIntoView({ block: 'nearest', inline: 'center' }), [])
  useEffect(() => onSessionChange(() => afterDialogsClose(() => location.reload())), [])

  return (
    <div class={styles.dashboard}>
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <header>
        <Brand />
        <nav aria-label={words.sections}>
          {sections.map(({ page, name, Mark }) => (
            <a key={page} href={page} {...(page === location.pathname ? { 'aria-current': 'page', ref: current } : {})}>
              <Mark />
              {name}
            </a>
          ))}
        </nav>
        <div class={styles.who}>
          <span class="soft small">{(user ?? own.value)?.email}</span>
          <div class="row small">
            {isSignedIn ? (
              <button type="button" class="link-button" onClick={signOut}>
                {words.signOut}
              </button>
            ) : (
              <a href={paths.signIn}>{words.signIn}</a>
            )}
            <LanguageChoice />
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} class="stack wide">
        <div class="row apart">
          <h1 class={styles.title}>{title}</h1>
          {aside}
        </div>
        {children}
      </main>
    </div>
  )
}

function signOut(): void {
  forgetToken()
  void goTo(paths.signIn)
}
