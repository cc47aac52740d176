/** Layout of a page with one card. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { paths } from '../page-paths.ts'
import { chooseLanguage, inLanguage, language } from '../language.ts'
import { settings } from '../settings.ts'
import iconUrl from '../icon.svg'

const words = inLanguage({
  en: { other: 'Română', forPrograms: 'For programs and agents' },
  ro: { other: 'English', forPrograms: 'Pentru programe și agenți' },
})

export const Brand = () => (
  <a class="brand" href={paths.signIn}>
    <img src={iconUrl} alt="" width="32" height="32" />
    Paylink
  </a>
)

export const LanguageChoice = () => {
  const other = language === 'en' ? 'ro' : 'en'
  return (
    <button type="button" class="link-button" lang={other} onClick={() => chooseLanguage(other)}>
      {words.other}
    </button>
  )
}

type CardPageProps = Readonly<{
  title: string
  /** Whether the visitor pays and knows nothing of the API. */
  isForPayer?: boolean
  children: ComponentChildren
}>

export function CardPage({ title, isForPayer = false, children }: CardPageProps) {
  useTitle(title)
  return (
    <div class="single">
      <main>
        <Brand />
        <div class="card stack">{children}</div>
      </main>
      <footer class="foot">
        {settings.frontend === null && !isForPayer && <a href={paths.quickStart}>{words.forPrograms}</a>}
        <LanguageChoice />
      </footer>
    </div>
  )
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Paylink`
  }, [title])
}
