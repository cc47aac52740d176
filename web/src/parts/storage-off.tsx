import { inLanguage } from '../language.ts'
import { Notice } from './notice.tsx'

const text = inLanguage({
  en: 'This browser keeps no data for this site, so it would forget your sign-in at once. Allow site data (cookies) for this page, or open it in another browser.',
  ro: 'Acest browser nu păstrează date pentru acest site, așa că ar uita imediat autentificarea. Permite datele site-ului (cookie-urile) pentru această pagină sau deschide-o în alt browser.',
})

/** Warning if the browser blocks storage: the next page would have no token. */
export const StorageOff = () => (
  <div role="alert">
    <Notice kind="warn">{text}</Notice>
  </div>
)
