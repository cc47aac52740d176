import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    missingTitle: 'Page not found',
    missing: 'The address may be mistyped, or the page has moved.',
    home: 'Go to the start page',
    brokenTitle: 'This page did not load',
    broken: 'A part of it is missing or failed. Reloading usually helps.',
    reload: 'Reload',
    elsewhereTitle: 'Open this page at its own address',
    elsewhere: (opened: string, known: string) => `You opened it at ${opened}. Signing in works only at ${known}.`,
    go: (known: string) => `Go to ${known}`,
  },
  ro: {
    missingTitle: 'Aici nu este nicio pagină',
    missing: 'Poate adresa e scrisă greșit sau pagina a fost mutată.',
    home: 'Mergi la prima pagină',
    brokenTitle: 'Pagina nu s-a încărcat',
    broken: 'Lipsește o parte din ea sau ceva nu a funcționat. De obicei ajută să o reîncarci.',
    reload: 'Reîncarcă',
    elsewhereTitle: 'Deschide pagina la adresa ei',
    elsewhere: (opened: string, known: string) =>
      `Ai deschis-o ca ${opened}. Autentificarea funcționează numai la ${known}.`,
    go: (known: string) => `Mergi la ${known}`,
  },
})
