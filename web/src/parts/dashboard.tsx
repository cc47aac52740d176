/** The frame of the pages behind the sign-in: where one is, where one can go, and who one is. */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { addresses, goTo } from '../addresses.ts'
import { callSignedIn } from '../api.ts'
import { inLanguage } from '../language.ts'
import { currentToken, forgetToken, onSessionChange } from '../session.ts'
import { ActivityMark, KeyMark, LinkMark, PersonMark, PromptMark } from './marks.tsx'
import { Failure } from './notice.tsx'
import { Brand, LanguageChoice, useTitle } from './single.tsx'
import { useLoaded } from './use-loaded.ts'

const words = inLanguage({
  en: {
    sections: 'Sections',
    skip: 'Skip to the content',
    apiAccess: 'API Access',
    paymentLinks: 'Payment links',
    activity: 'Activity',
    profile: 'Profile',
    quickStart: 'Quick start',
    signOut: 'Sign out',
    signIn: 'Sign in',
  },
  ro: {
    sections: 'Secțiuni',
    skip: 'Sari la conținut',
    apiAccess: 'Acces API',
    paymentLinks: 'Linkuri de plată',
    activity: 'Activitate',
    profile: 'Profil',
    quickStart: 'Primii pași',
    signOut: 'Ieși din cont',
    signIn: 'Autentificare',
  },
})

/** The signed-in person (`GET /users/me`). */
export type User = Readonly<{
  id: string
  email: string
  role: string
  name: string | null
  needsOnboarding: boolean
  createdAt: string
}>

/** Reads who is signed in. */
export const readUser = async (): Promise<User> => (await callSignedIn<{ user: User }>('GET', '/users/me')).user

const sections = [
  { page: addresses.apiAccess, name: words.apiAccess, Mark: KeyMark },
  { page: addresses.paymentLinks, name: words.paymentLinks, Mark: LinkMark },
  { page: addresses.activity, name: words.activity, Mark: ActivityMark },
  { page: addresses.profile, name: words.profile, Mark: PersonMark },
  { page: addresses.quickStart, name: words.quickStart, Mark: PromptMark },
]

type DashboardProps = Readonly<{
  title: string
  /** What stands beside the title, for example the page's main button. */
  aside?: ComponentChildren
  children: ComponentChildren
}>

/** A page of the dashboard. Also seen without a sign-in, where it asks for nothing that needs one (the quick start). */
export function Dashboard({ title, aside, children }: DashboardProps) {
  useTitle(title)
  const isSignedIn = currentToken() !== undefined
  const user = useLoaded(async () => (isSignedIn ? readUser() : undefined))
  const current = useRef<HTMLAnchorElement>(null)
  // On a phone the sections are a row that is wider than the screen.
  useLayoutEffect(() => current.current?.scrollIntoView({ block: 'nearest', inline: 'center' }), [])
  useEffect(() => onSessionChange(() => location.reload()), [])

  return (
    <div class="dashboard">
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
        <div class="who">
          <span class="soft small">{user.value?.email}</span>
          <div class="row small">
            {isSignedIn ? (
              <button type="button" class="link-button" onClick={signOut}>
                {words.signOut}
              </button>
            ) : (
              <a href={addresses.signIn}>{words.signIn}</a>
            )}
            <LanguageChoice />
          </div>
        </div>
      </header>
      <main id="content" class="stack wide">
        <div class="row apart">
          <h1>{title}</h1>
          {aside}
        </div>
        <Failure error={user.error} />
        {children}
      </main>
    </div>
  )
}

function signOut(): void {
  forgetToken()
  void goTo(addresses.signIn)
}
