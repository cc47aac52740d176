/** Who is signed in, preferences, documentation and sign-out, in one popover of the browser. */
import { useId, useRef, useState } from 'preact/hooks'
import { docsUrl, paths } from '../page-paths.ts'
import { inLanguage, language } from '../language.ts'
import type { Language } from '../language.ts'
import { chooseLanguage, chooseTheme, currentTheme, themes } from '../preferences.ts'
import type { User } from '../user.ts'
import { BookMark, ChevronMark, PersonMark, SignOutMark } from './icons.tsx'
import { Failure } from './notice.tsx'
import { useSignOut } from './use-sign-out.tsx'
import styles from './account-menu.module.css'

const words = inLanguage({
  en: {
    account: 'Account',
    preferences: 'Preferences',
    language: 'Language',
    theme: 'Theme',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
    docs: 'Documentation',
    signOut: 'Sign out',
    signingOut: 'Signing out…',
    signIn: 'Sign in',
  },
  ro: {
    account: 'Cont',
    preferences: 'Preferințe',
    language: 'Limbă',
    theme: 'Temă',
    themes: { system: 'Sistem', light: 'Deschisă', dark: 'Închisă' },
    docs: 'Documentație',
    signOut: 'Deconectare',
    signingOut: 'Se deconectează…',
    signIn: 'Autentificare',
  },
})

const languages: Readonly<Record<Language, string>> = { en: 'English', ro: 'Română' }

const graphemes = new Intl.Segmenter(language)

const initialOf = (name: string): string =>
  (graphemes.segment(name).containing(0)?.segment ?? '').toLocaleUpperCase(language)

/** @param user undefined while the account loads; null if nobody is signed in */
export function AccountMenu({ user }: Readonly<{ user: User | null | undefined }>) {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const signOut = useSignOut()
  const label = user === null ? words.preferences : (user?.name ?? user?.email ?? '')
  return (
    <div class={styles.account}>
      {user === null && (
        <a class="button plain small" href={paths.signIn}>
          {words.signIn}
        </a>
      )}
      <button ref={opener} type="button" class={styles.opener} {...{ popovertarget: id }}>
        <span class={styles.initial} aria-hidden="true">
          {user === null ? <PersonMark /> : initialOf(label)}
        </span>
        {user !== null && <span class="visually-hidden">{words.account}</span>}
        <span class={`${styles.label} ${user === null ? styles.general : ''}`}>{label}</span>
        <ChevronMark />
      </button>
      <div
        id={id}
        popover="auto"
        class={styles.panel}
        onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
        // Not before it has closed: the browser gives the focus back only while the panel still has it.
        onToggle={({ newState }) => newState === 'closed' && setOpen(false)}
        // An open popover would cover what gets the focus. The opener closes it itself.
        onFocusOut={({ currentTarget, relatedTarget }) => {
          const isOutside = relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)
          if (isOutside && relatedTarget !== opener.current) currentTarget.hidePopover()
        }}
      >
        {isOpen && <Panel user={user} signOut={signOut} />}
      </div>
      {signOut.dialog}
    </div>
  )
}

type PanelProps = Readonly<{ user: User | null | undefined; signOut: ReturnType<typeof useSignOut> }>

const Panel = ({ user, signOut }: PanelProps) => (
  <>
    {user && (
      <div class={styles.who}>
        {user.name !== null && (
          <strong>
            <bdi>{user.name}</bdi>
          </strong>
        )}
        <span class={user.name === null ? '' : 'soft small'}>{user.email}</span>
      </div>
    )}
    <LanguageSegments />
    <ThemeSegments />
    <div class={styles.items}>
      <a href={docsUrl}>
        <BookMark />
        {words.docs}
      </a>
      {user !== null && (
        <button type="button" aria-disabled={signOut.isBusy} onClick={() => signOut.run()}>
          <SignOutMark />
          {signOut.isBusy ? words.signingOut : words.signOut}
        </button>
      )}
    </div>
    <Failure error={signOut.error} />
  </>
)

// Buttons, not radio buttons: the page reloads, which an arrow key must not cause.
const LanguageSegments = () => {
  const labelId = useId()
  return (
    <div class={styles.setting} role="group" aria-labelledby={labelId}>
      <span id={labelId} class={styles.settingName}>
        {words.language}
      </span>
      <div class="segments">
        {Object.entries(languages).map(([key, name]) => (
          <button
            key={key}
            type="button"
            lang={key}
            aria-pressed={key === language}
            onClick={() => key !== language && chooseLanguage(key as Language)}
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  )
}

const ThemeSegments = () => {
  const [theme, setTheme] = useState(currentTheme)
  const labelId = useId()
  const name = useId()
  return (
    <div class={styles.setting} role="radiogroup" aria-labelledby={labelId}>
      <span id={labelId} class={styles.settingName}>
        {words.theme}
      </span>
      <div class="segments">
        {themes.map((each) => (
          <label key={each}>
            <input
              type="radio"
              class="visually-hidden"
              name={name}
              checked={each === theme}
              onChange={() => {
                chooseTheme(each)
                setTheme(each)
              }}
            />
            {words.themes[each]}
          </label>
        ))}
      </div>
    </div>
  )
}
