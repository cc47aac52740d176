import { findEventsSince } from '../../domain/events/event-store.ts'
import type { SecurityEvent } from '../../domain/events/event-store.ts'
import { WIDENED } from '../../domain/events/security-events.ts'
import type { EventType } from '../../domain/events/security-events.ts'
import { domainOf } from '../../domain/oauth/client-id-url.ts'
import { findKeysById } from '../../domain/keys/key-store.ts'
import type { ApiKey } from '../../domain/keys/key-store.ts'
import { findUserOfMailbox } from '../../domain/address-change/former-user.ts'
import { addButton } from '../mail-buttons.ts'
import type { Composer } from '../queue/composer.ts'
import { formatTime, sayOrigin } from './mail-words.ts'
import { render } from './render-mail.ts'

const reportedTypes = [
  'key_created',
  'key_rotated',
  'key_restricted',
  'key_leaked',
  'key_expiring',
  'app_connected',
] as const satisfies EventType[]

/** Reports everything since the mail was queued, so that many changes are one mail. */
export const composeKeyNotice: Composer = async (deps, trx, mail) => {
  const sinceMs = mail.tells_since_ms ?? mail.created_at_ms
  const user = await findUserOfMailbox(trx, mail.email, deps.clock.now())
  const events = user && (await findEventsSince(trx, user.id, reportedTypes, sinceMs))
  if (user === undefined || events === undefined || events.length === 0) return undefined

  const ids = new Set(events.map((event) => event.api_key_id ?? ''))
  const keys = new Map((await findKeysById(trx, user.id, [...ids])).map((key) => [key.id, key]))
  const lines = (say: (event: SecurityEvent, key: ApiKey) => string) =>
    events.flatMap((event) => {
      const key = keys.get(event.api_key_id ?? '')
      return key === undefined || isStrangers(event, key) || isNarrowing(event) ? [] : [say(event, key)]
    })
  if (lines(() => '').length === 0) return undefined
  const hasApps = events.some(({ type }) => type === 'app_connected')
  const words = {
    en: {
      subject: hasApps ? 'Apps and API keys of your account' : 'Your API keys',
      before: lines(sayInEnglish),
      button: hasApps ? 'Review your account' : 'Review your API keys',
      after: ['If you know about this, you do not have to do anything.'],
    },
    ro: {
      subject: hasApps ? 'Aplicațiile și cheile API ale contului tău' : 'Cheile tale API',
      before: lines(sayInRomanian),
      button: hasApps ? 'Verifică-ți contul' : 'Verifică-ți cheile API',
      after: ['Dacă știi despre asta, nu ai nimic de făcut.'],
    },
  }
  return render(mail.locale, words, {
    main: deps.config.appUrl.href,
    notMe: await addButton(deps, trx, mail, 'not_me', { tellsSinceMs: sinceMs }),
  })
}

function sayInEnglish(event: SecurityEvent, key: ApiKey): string {
  const when = formatTime('en', event.at_ms)
  const from = sayOrigin('en', event)
  const name = nameOf(key, '“')
  switch (event.type) {
    case 'key_created':
      return `On ${when} the API key ${name} was created${event.client === null ? ' by the operator of this service' : ` ${from}`}.`
    case 'key_rotated':
      return `On ${when} the API key ${name} got a new secret, ${from}.`
    case 'key_restricted':
      return `On ${when} the API key ${name} was allowed to do more than before, ${from}.`
    case 'key_leaked':
      return `On ${when} the secret of the API key ${name} was found in public. The key is revoked. See the events of your account for where it was found, and check the keys that were created with it.`
    case 'app_connected':
      return `On ${when} an app of ${domainOf(key.client_id ?? '')} got access to your account, ${from}. It may do what was chosen then, for at most seven days.`
    default:
      return `The API key ${name} stops working on ${formatTime('en', key.expires_at_ms ?? 0)}. Create a new key before then, and use it instead.`
  }
}

function sayInRomanian(event: SecurityEvent, key: ApiKey): string {
  const when = formatTime('ro', event.at_ms)
  const from = sayOrigin('ro', event)
  const name = nameOf(key, '„')
  switch (event.type) {
    case 'key_created':
      return `Pe ${when} a fost creată cheia API ${name}, ${event.client === null ? 'de administratorul acestui serviciu' : from}.`
    case 'key_rotated':
      return `Pe ${when} cheia API ${name} a primit un secret nou, ${from}.`
    case 'key_restricted':
      return `Pe ${when} cheii API ${name} i s-a permis mai mult decât înainte, ${from}.`
    case 'key_leaked':
      return `Pe ${when} secretul cheii API ${name} a fost găsit într-un loc public. Cheia este revocată. Vezi în evenimentele contului unde a fost văzut, și cheile create cu ea.`
    case 'app_connected':
      return `Pe ${when} o aplicație de la ${domainOf(key.client_id ?? '')} a primit acces la contul tău, ${from}. Poate face ce s-a ales atunci, cel mult șapte zile.`
    default:
      return `Cheia API ${name} nu mai funcționează din ${formatTime('ro', key.expires_at_ms ?? 0)}. Creează una nouă înainte și folosește-o pe aceea.`
  }
}

// Text that a mail program could turn into a link, or that a person could call: a thief may have chosen the name. It
// matches a dot in every form that ends a host name's label, and digits of every script.
const LIKE_AN_ADDRESS = /[/@]|[.。][\p{L}\p{M}\p{N}]{2}|\p{Nd}(?:[\p{Z}\p{P}\p{M}]*\p{Nd}){5}/u
// Invisible characters could stand between the letters of an address.
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

function isLikeAnAddress(name: string): boolean {
  return LIKE_AN_ADDRESS.test(name.normalize('NFKC').replace(INVISIBLE, ''))
}

const isNarrowing = ({ type, detail }: SecurityEvent): boolean => type === 'key_restricted' && detail !== WIDENED

// Strangers can report keys that they created themselves, any number of times.
function isStrangers({ type }: SecurityEvent, { awaits_owner_at_ms: awaitsOwnerAtMs }: ApiKey): boolean {
  return type === 'key_leaked' && awaitsOwnerAtMs !== null
}

// The isolation marks keep a right-to-left name from reordering the words around it. The name of a key that awaits the
// owner was not given by the owner.
function nameOf({ name, key_id: keyId, awaits_owner_at_ms: awaitsOwnerAtMs }: ApiKey, quote: '“' | '„'): string {
  return awaitsOwnerAtMs !== null || isLikeAnAddress(name) ? keyId : `${quote}\u2068${name}\u2069” (${keyId})`
}
