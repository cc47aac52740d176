/** Layout of a page with one card. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { paths } from '../page-paths.ts'
import { inLanguage, language } from '../language.ts'
import { chooseLanguage } from '../preferences.ts'
import { settings } from '../settings.ts'
import iconUrl from '../icon.svg'

const words = inLanguage({
  en: { other: 'Română', forPrograms: 'For developers' },
  ro: { other: 'English', forPrograms: 'Pentru dezvoltatori' },
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
  children: ComponentChildren
}>

export function CardPage({ title, children }: CardPageProps) {
  useTitle(title)
  return (
    <div class="single">
      <main>
        <Brand />
        <div class="card stack">{children}</div>
      </main>
      <footer class="foot">
        {settings.frontend === null && <a href={paths.quickStart}>{words.forPrograms}</a>}
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
