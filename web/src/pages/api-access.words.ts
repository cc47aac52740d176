import { inLanguage } from '../language.ts'
import { plural } from '../plural.ts'

export const words = inLanguage({
  en: {
    title: 'API Access',
    lead: 'API keys let your servers, scripts and agents call the API for your account. A key is exchanged for a token that lasts one hour.',
    quickStart: 'How to use a key',
    create: 'Create key',
    none: 'No active keys. Create one to call the API.',
    inactive: (count: number) => `Inactive keys (${count})`,

    column: {
      key: 'Key',
      lastUsed: 'Last used',
      expires: 'Expires',
      created: 'Created',
      ended: 'Ended',
      actions: 'Actions',
    },
    status: { ACTIVE: 'Active', AWAITS_OWNER: 'Needs review', EXPIRED: 'Expired', REVOKED: 'Revoked' },
    never: 'Never',
    unused: 'Never',
    copyId: (name: string) => `Copy the key id of ${name}`,
    copyByHand: 'Selected: copy it by hand',
    rotate: 'Rotate',
    revoke: 'Revoke',
    keep: 'Keep',
    about: (act: string, name: string) => `${act}: ${name}`,

    awaiting: (count: number) => plural(count, { one: 'Review this key', other: 'Review # keys' }),
    awaitingText:
      'Somebody else may have created it: it is from before you first signed in here, or from a sign-in you reported. It is off until you keep it.',
    awaitingTexts:
      'Somebody else may have created them: they are from before you first signed in here, or from a sign-in you reported. Each is off until you keep it.',
    created: (when: string) => `Created ${when}`,
    lastUsed: (when: string) => `last used ${when}`,
    neverUsed: 'never used',

    isCreated: (name: string) => `“${name}” is ready to use.`,
    isChanged: (name: string) => `“${name}” is changed.`,
    isRotated: (name: string, until: string | undefined) =>
      until === undefined
        ? `“${name}” has a new secret. The old one no longer works.`
        : `“${name}” has a new secret. The old one works until ${until}.`,
    isRevoked: (name: string, others: number) =>
      others === 0
        ? `“${name}” is revoked. The key and its tokens no longer work.`
        : `“${name}” and ${plural(others, { one: 'the key', other: 'the # keys' })} it created are revoked. None of their tokens work.`,
    isKept: (name: string) => `“${name}” is kept and works again.`,

    empty: {
      title: 'Create your first API key',
      text: 'Servers, scripts and agents sign in with a key instead of an e-mail link. Create one for each, so that you can revoke it alone.',
      steps: [
        { title: 'Create a key', text: 'You get an id and a secret. The secret is shown once.' },
        { title: 'Exchange it for a token', text: 'One call, again whenever the token has expired:' },
        { title: 'Call the API', text: 'Send the token with every call. It lasts one hour:' },
      ],
      exchange: 'Exchange',
      call: 'First call',
    },
  },
  ro: {
    title: 'Acces API',
    lead: 'Cu o cheie API, serverele, scripturile și agenții tăi apelează API-ul în numele contului. Cheia se schimbă pe un token valabil o oră.',
    quickStart: 'Cum se folosește o cheie',
    create: 'Creează o cheie',
    none: 'Nu ai chei active. Creează una pentru a apela API-ul.',
    inactive: (count: number) => `Chei inactive (${count})`,

    column: {
      key: 'Cheie',
      lastUsed: 'Ultima utilizare',
      expires: 'Expiră',
      created: 'Creată',
      ended: 'Încheiată',
      actions: 'Acțiuni',
    },
    status: { ACTIVE: 'Activă', AWAITS_OWNER: 'De verificat', EXPIRED: 'Expirată', REVOKED: 'Revocată' },
    never: 'Niciodată',
    unused: 'Niciodată',
    copyId: (name: string) => `Copiază ID-ul cheii ${name}`,
    copyByHand: 'Selectat: copiază manual',
    rotate: 'Rotește',
    revoke: 'Revocă',
    keep: 'Păstrează',
    about: (act: string, name: string) => `${act}: ${name}`,

    awaiting: (count: number) =>
      plural(count, { one: 'Verifică această cheie', few: 'Verifică # chei', other: 'Verifică # de chei' }),
    awaitingText:
      'Poate a creat-o altcineva: este dinainte de prima ta autentificare aici sau dintr-o autentificare pe care ai raportat-o. Este oprită până o păstrezi.',
    awaitingTexts:
      'Poate le-a creat altcineva: sunt dinainte de prima ta autentificare aici sau dintr-o autentificare pe care ai raportat-o. Fiecare este oprită până o păstrezi.',
    created: (when: string) => `Creată ${when}`,
    lastUsed: (when: string) => `utilizată ultima dată ${when}`,
    neverUsed: 'neutilizată',

    isCreated: (name: string) => `„${name}” este gata de folosit.`,
    isChanged: (name: string) => `„${name}” este modificată.`,
    isRotated: (name: string, until: string | undefined) =>
      until === undefined
        ? `„${name}” are un secret nou. Cel vechi nu mai funcționează.`
        : `„${name}” are un secret nou. Cel vechi funcționează până la ${until}.`,
    isRevoked: (name: string, others: number) =>
      others === 0
        ? `„${name}” este revocată. Cheia și tokenurile ei nu mai funcționează.`
        : `„${name}” și ${plural(others, { one: 'cheia creată', few: 'cele # chei create', other: 'cele # de chei create' })} de ea sunt revocate. Niciun token al lor nu mai funcționează.`,
    isKept: (name: string) => `„${name}” este păstrată și funcționează din nou.`,

    empty: {
      title: 'Creează prima ta cheie API',
      text: 'Serverele, scripturile și agenții folosesc o cheie în locul linkului pe e-mail. Creează câte una pentru fiecare, ca s-o poți revoca separat.',
      steps: [
        { title: 'Creează o cheie', text: 'Primești un ID și un secret. Secretul apare o singură dată.' },
        { title: 'Schimb-o pe un token', text: 'Un singur apel, de fiecare dată când expiră tokenul:' },
        { title: 'Apelează API-ul', text: 'Trimite tokenul la fiecare apel. Este valabil o oră:' },
      ],
      exchange: 'Obținerea tokenului',
      call: 'Primul apel',
    },
  },
})
