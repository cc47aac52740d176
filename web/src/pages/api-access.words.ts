import { countOf } from '../romanian-count.ts'
import { inLanguage } from '../language.ts'

export const words = inLanguage({
  en: {
    title: 'API Access',
    lead: 'A key lets a program act for your account. It exchanges its id and secret for a token that lasts one hour.',
    quickStart: 'How to use a key',
    create: 'Create key',
    none: 'No key is active. Create one to give a program access.',
    inactive: (count: number) => `Inactive keys (${count})`,

    column: {
      key: 'Key',
      lastUsed: 'Last used',
      expires: 'Expires',
      created: 'Created',
      ended: 'Ended',
      actions: 'Actions',
    },
    status: { ACTIVE: 'Active', AWAITS_OWNER: 'Awaits you', EXPIRED: 'Expired', REVOKED: 'Revoked' },
    never: 'Never',
    unused: 'Never',
    copyId: (name: string) => `Copy the key id of ${name}`,
    copyByHand: 'Selected: copy it by hand',
    rotate: 'Rotate',
    revoke: 'Revoke',
    keep: 'Keep',
    about: (act: string, name: string) => `${act}: ${name}`,

    awaiting: (count: number) => (count === 1 ? 'A key waits for you' : `${count} keys wait for you`),
    awaitingText:
      'Somebody else may have created it: it is from before you first signed in here, or from a sign-in that you said was not yours. It does not work until you keep it.',
    awaitingTexts:
      'Somebody else may have created them: they are from before you first signed in here, or from a sign-in that you said was not yours. A key does not work until you keep it.',
    created: (when: string) => `Created ${when}`,
    lastUsed: (when: string) => `last used ${when}`,
    neverUsed: 'never used',

    isCreated: (name: string) => `“${name}” is ready to use.`,
    isRotated: (name: string, until: string | undefined) =>
      until === undefined
        ? `“${name}” has a new secret. The old one no longer works.`
        : `“${name}” has a new secret. The old one works until ${until}.`,
    isRevoked: (name: string, others: number) =>
      others === 0
        ? `“${name}” is revoked. The key and its tokens no longer work.`
        : `“${name}” is revoked, and so ${others === 1 ? 'is the key' : `are the ${others} keys`} it created. None of their tokens work.`,
    isKept: (name: string) => `“${name}” is kept, and works again.`,

    empty: {
      title: 'Give a program access',
      text: 'A server, a script or an agent cannot click a link in a mail. Give it a key: it works for your account, and you can revoke it at any time.',
      steps: [
        { title: 'Create a key', text: 'You get an id and a secret. The secret is shown once.' },
        { title: 'Exchange it for a token', text: 'One call, each time the last token has expired:' },
        { title: 'Call the API', text: 'Send the token with every call, for one hour:' },
      ],
      exchange: 'Exchange',
      call: 'First call',
    },
  },
  ro: {
    title: 'Acces API',
    lead: 'O cheie îi permite unui program să lucreze în numele contului tău. Își schimbă ID-ul și secretul pe un token valabil o oră.',
    quickStart: 'Cum se folosește o cheie',
    create: 'Creează o cheie',
    none: 'Nicio cheie nu funcționează acum. Creează una ca să dai acces unui program.',
    inactive: (count: number) => `Chei inactive (${count})`,

    column: {
      key: 'Cheie',
      lastUsed: 'Ultima folosire',
      expires: 'Expiră',
      created: 'Creată',
      ended: 'Încheiată',
      actions: 'Acțiuni',
    },
    status: { ACTIVE: 'Activă', AWAITS_OWNER: 'Te așteaptă', EXPIRED: 'Expirată', REVOKED: 'Revocată' },
    never: 'Niciodată',
    unused: 'Niciodată',
    copyId: (name: string) => `Copiază ID-ul cheii ${name}`,
    copyByHand: 'Selectat: copiază manual',
    rotate: 'Rotește',
    revoke: 'Revocă',
    keep: 'Păstrează',
    about: (act: string, name: string) => `${act}: ${name}`,

    awaiting: (count: number) => (count === 1 ? 'O cheie te așteaptă' : `${countOf(count, 'chei')} te așteaptă`),
    awaitingText:
      'Poate a creat-o altcineva: este dinainte de prima ta autentificare aici sau dintr-o autentificare despre care ai spus că nu a fost a ta. Nu funcționează până nu o păstrezi.',
    awaitingTexts:
      'Poate le-a creat altcineva: sunt dinainte de prima ta autentificare aici sau dintr-o autentificare despre care ai spus că nu a fost a ta. Nu funcționează până nu le păstrezi.',
    created: (when: string) => `Creată ${when}`,
    lastUsed: (when: string) => `folosită ultima dată ${when}`,
    neverUsed: 'nefolosită',

    isCreated: (name: string) => `„${name}” este gata de folosit.`,
    isRotated: (name: string, until: string | undefined) =>
      until === undefined
        ? `„${name}” are un secret nou. Cel vechi nu mai funcționează.`
        : `„${name}” are un secret nou. Cel vechi funcționează până la ${until}.`,
    isRevoked: (name: string, others: number) =>
      others === 0
        ? `„${name}” este revocată. Cheia și tokenurile ei nu mai funcționează.`
        : `„${name}” este revocată, împreună cu ${others === 1 ? 'cheia creată' : `cele ${countOf(others, 'chei')} create`} de ea. Niciun token al lor nu mai funcționează.`,
    isKept: (name: string) => `„${name}” este păstrată și funcționează din nou.`,

    empty: {
      title: 'Dă acces unui program',
      text: 'Un server, un script sau un agent nu poate apăsa un link dintr-un e-mail. Dă-i o cheie: lucrează în numele contului tău, iar tu o poți opri oricând.',
      steps: [
        { title: 'Creează o cheie', text: 'Primești un ID și un secret. Secretul este arătat o singură dată.' },
        { title: 'Schimb-o pe un token', text: 'Un singur apel, de câte ori a expirat tokenul dinainte:' },
        { title: 'Apelează API-ul', text: 'Tokenul însoțește fiecare apel, timp de o oră:' },
      ],
      exchange: 'Schimbul',
      call: 'Primul apel',
    },
  },
})
