import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    title: 'An app asks for access',
    loading: 'Looking up who asks…',
    asks: (domain: string) => `${domain} asks for access to your account`,
    callsItself: (name: string) => `It calls itself “${name}”. Any app can choose any name: what counts is the domain.`,
    nameless: 'It does not say what it is called. What counts is the domain.',
    account: 'Your account',
    goesTo: 'You return to',
    loopback: (domain: string) =>
      `A program on this device gets the access. Allow it only if you have just started that program yourself: any program here can pretend to be from ${domain}.`,
    may: 'What it may do',
    ends: 'It has access for at most seven days. You can end it earlier at any time under “Connected apps”, and we tell you by e-mail that it was connected.',
    refuse: 'Refuse',
    allow: 'Allow',
    allowing: 'Allowing…',
    refusedTitle: 'This app cannot be connected',
    refused: 'It asks in a way that we do not accept. Only its developers can change that. Nothing was changed here.',
    backTo: (host: string) => `Back to ${host}`,
    nothingTitle: 'No app asks for access',
    nothing: 'Start in the app that you want to connect.',
    home: 'To your dashboard',
  },
  ro: {
    title: 'O aplicație cere acces',
    loading: 'Se verifică cine cere…',
    asks: (domain: string) => `${domain} cere acces la contul tău`,
    callsItself: (name: string) =>
      `Se numește singură „${name}”. Orice aplicație își poate alege orice nume: contează domeniul.`,
    nameless: 'Nu spune cum se numește. Contează domeniul.',
    account: 'Contul tău',
    goesTo: 'Revii la',
    loopback: (domain: string) =>
      `Accesul ajunge la un program de pe acest dispozitiv. Permite-l doar dacă tocmai ai pornit tu acel program: orice program de aici poate pretinde că este de la ${domain}.`,
    may: 'Ce poate face',
    ends: 'Are acces cel mult șapte zile. Îl poți încheia oricând mai devreme în „Aplicații conectate” și te anunțăm pe e-mail că a fost conectată.',
    refuse: 'Refuză',
    allow: 'Permite',
    allowing: 'Se permite…',
    refusedTitle: 'Această aplicație nu poate fi conectată',
    refused:
      'Cere accesul într-un mod pe care nu îl acceptăm. Doar dezvoltatorii ei pot schimba asta. Aici nu s-a schimbat nimic.',
    backTo: (host: string) => `Înapoi la ${host}`,
    nothingTitle: 'Nicio aplicație nu cere acces',
    nothing: 'Începe din aplicația pe care vrei să o conectezi.',
    home: 'La panoul tău',
  },
})
