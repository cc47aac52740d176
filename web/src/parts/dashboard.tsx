/** Layout of the pages behind the sign-in. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { pageAtPath, paths } from '../page-paths.ts'
import { inLanguage } from '../language.ts'
import { onSessionChange } from '../session.ts'
import { AccountMenu } from './account-menu.tsx'
import { ActivityMark, AppMark, HomeMark, LinkMark, PersonMark, PromptMark } from './icons.tsx'
import { afterDialogsClose } from './modal.tsx'
import { Brand, useTitle } from './card-page.tsx'
import { useUser } from '../user.ts'
import styles from './dashboard.module.css'

const words = inLanguage({
  en: {
    sections: 'Sections',
    skip: 'Skip to the content',
    profile: 'Profile',
    paymentLinks: 'Payment links',
    apps: 'Connected apps',
    activity: 'Activity',
    quickStart: 'Quick start',
  },
  ro: {
    sections: 'Secțiuni',
    skip: 'Sari la conținut',
    profile: 'Profil',
    paymentLinks: 'Linkuri de plată',
    apps: 'Aplicații conectate',
    activity: 'Activitate',
    quickStart: 'Ghid rapid',
  },
})

/** `short` is shown where there is no space for `name`, which contains it. */
const sections = [
  { page: paths.home, name: inLanguage({ en: 'Home', ro: 'Acasă' }), Mark: HomeMark },
  { page: paths.profile, below: paths.apiKey, name: words.profile, Mark: PersonMark },
  {
    page: paths.paymentLinks,
    name: words.paymentLinks,
    short: inLanguage({ en: 'Links', ro: 'Linkuri' }),
    Mark: LinkMark,
  },
  { page: paths.apps, name: words.apps, short: inLanguage({ en: 'Apps', ro: 'Aplicații' }), Mark: AppMark },
  { page: paths.activity, name: words.activity, Mark: ActivityMark },
  {
    page: paths.quickStart,
    name: words.quickStart,
    short: inLanguage({ en: 'Start', ro: 'Ghid' }),
    Mark: PromptMark,
  },
]

type DashboardProps = Readonly<{
  title: string
  /** Beside the title, for example the page's main button. */
  aside?: ComponentChildren
  children: ComponentChildren
}>

/** Works without a sign-in too, for the quick start. */
export function Dashboard({ title, aside, children }: DashboardProps) {
  useTitle(title)
  const here = pageAtPath(location.pathname)?.path
  // No error is shown here: the page itself fails to load and shows it.
  const user = useUser()
  useEffect(() => onSessionChange(() => afterDialogsClose(() => location.reload())), [])

  return (
    <div class={styles.dashboard}>
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <header>
        <Brand />
        <nav aria-label={words.sections}>
          {sections.map(({ page, below, name, short = name, Mark }) => (
            <a
              key={page}
              href={page}
              aria-label={name}
              aria-current={page === here ? 'page' : below && below === here ? 'true' : undefined}
            >
              <Mark />
              <span class={styles.name}>{name}</span>
              <span class={styles.short}>{short}</span>
            </a>
          ))}
        </nav>
        <AccountMenu user={user.value} />
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
