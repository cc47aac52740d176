import { inLanguage } from '../language.ts'

const en = {
  title: 'Connected apps',
  loading: 'Loading your connected apps…',
  text: 'Assistants and other apps that you have given access to your account. An app can choose any name: what counts is the domain.',
  callsItself: (name: string) => `Calls itself “${name}”`,
  may: 'What it may do',
  worksFor: 'Works for',
  tools: 'The tools for assistants (MCP)',
  api: 'The API',
  since: 'Connected',
  lastUsed: 'Last used',
  unused: 'Never',
  ends: 'Ends by itself',
  end: 'Disconnect',
  ending: 'Disconnecting…',
  about: (act: string, domain: string, name: string, since: string) =>
    `${act}: ${domain}, “${name}”, connected on ${since}`,
  isEnded: (domain: string) => `${domain} is disconnected. Its access has ended.`,
  mayLive: (domain: string, reason: string) => `${domain} may still have access. ${reason}`,
  empty: {
    title: 'No app has access',
    text: 'Start in the app or assistant that you want to connect. It sends you to a page here that says who asks and what for, and you choose what it may do. Access ends after seven days, or as soon as you disconnect the app.',
    docs: 'Connect an assistant',
  },
}

const ro: typeof en = {
  title: 'Aplicații conectate',
  loading: 'Se încarcă aplicațiile conectate…',
  text: 'Asistenții și celelalte aplicații cărora le-ai dat acces la cont. O aplicație își poate alege orice nume: contează domeniul.',
  callsItself: (name) => `Se numește singură „${name}”`,
  may: 'Ce poate face',
  worksFor: 'Valabil pentru',
  tools: 'Uneltele pentru asistenți (MCP)',
  api: 'API',
  since: 'Conectată',
  lastUsed: 'Ultima utilizare',
  unused: 'Niciodată',
  ends: 'Se încheie singur',
  end: 'Deconectează',
  ending: 'Se deconectează…',
  about: (act, domain, name, since) => `${act}: ${domain}, „${name}”, conectată pe ${since}`,
  isEnded: (domain) => `${domain}: deconectată. Accesul s-a încheiat.`,
  mayLive: (domain, reason) => `${domain}: poate avea încă acces. ${reason}`,
  empty: {
    title: 'Nicio aplicație nu are acces',
    text: 'Începe din aplicația sau asistentul pe care vrei să îl conectezi. Te trimite la o pagină de aici care spune cine cere acces și pentru ce, iar tu alegi ce poate face. Accesul se încheie după șapte zile sau imediat ce deconectezi aplicația.',
    docs: 'Conectează un asistent (în engleză)',
  },
}

export const words = inLanguage({ en, ro })
