import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    missingTitle: 'Page not found',
    missing: 'The address may be mistyped, or the page has moved.',
    home: 'Go to the start page',
    brokenTitle: 'This page did not load',
    broken: 'Something went wrong while loading it. Reload the page to try again.',
    reload: 'Reload',
    elsewhereTitle: 'Open this page at its own address',
    elsewhere: (opened: string, known: string) => `You opened it at ${opened}. Signing in works only at ${known}.`,
    go: (known: string) => `Go to ${known}`,
  },
  ro: {
    missingTitle: 'Pagina nu a fost găsită',
    missing: 'Adresa poate fi greșită sau pagina a fost mutată.',
    home: 'Mergi la pagina principală',
    brokenTitle: 'Pagina nu s-a încărcat',
    broken: 'A apărut o eroare la încărcare. Reîncarcă pagina și încearcă din nou.',
    reload: 'Reîncarcă',
    elsewhereTitle: 'Deschide pagina la adresa ei',
    elsewhere: (opened: string, known: string) =>
      `Ai deschis-o la ${opened}. Autentificarea funcționează numai la ${known}.`,
    go: (known: string) => `Mergi la ${known}`,
  },
})
