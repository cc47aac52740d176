/** E-mail addresses are normalised before they are compared, stored or mailed. */
import { domainToASCII, domainToUnicode } from 'node:url'

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/
// ASCII that no host name contains. Rejected first, because the URL host parser would decode or drop it.
const FORBIDDEN_IN_DOMAIN = /[\x00-\x2c\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]/

/**
 * The stored form of an address: NFKC, ASCII lower case, domain in its ASCII (IDNA) form. Rejects everything that mail
 * software parses in more than one way: several addresses, quoted local parts, comments, groups, control characters,
 * address literals, and characters that become an at sign by normalisation.
 * @returns `undefined` when the text is not one plain address of at most 254 characters (RFC 5321, section 4.5.3.1,
 * without the brackets of the path)
 */
export function parseEmailAddress(text: string): string | undefined {
  if (text.length > 254 || text.split('@').length !== 2) return undefined
  const parts = text.normalize('NFKC').split('@')
  const local = lowerCaseAscii(parts[0] ?? '')
  const unicodeDomain = parts[1] ?? ''
  if (parts.length !== 2 || local.length > 64 || !LOCAL_PART.test(local)) return undefined
  if (unicodeDomain === '' || FORBIDDEN_IN_DOMAIN.test(unicodeDomain)) return undefined
  const domain = domainToASCII(unicodeDomain)
  // What is left of `xn--` cannot be decoded (RFC 5891, section 5.4).
  if (/(^|\.)xn--/.test(domainToUnicode(domain))) return undefined
  const address = `${local}@${domain}`
  return address.length <= 254 && DOMAIN.test(domain) ? address : undefined
}

// `toLowerCase` maps non-ASCII letters (the Kelvin sign) to ASCII ones.
function lowerCaseAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Why `parseEmailAddress` refuses a text: completes "… must be one plain e-mail address: ". */
export function emailAddressProblem(text: string): string {
  if (text.length > 254) return 'it has more than 254 characters'
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return 'it contains a line break or another control character'
  if (!text.includes('@')) return 'it has no @'
  const [local = '', domain = '', ...others] = text.normalize('NFKC').split('@')
  if (/[,;]/.test(text) || (others.length > 0 && text.includes(' '))) return 'it contains several addresses'
  if (others.length > 0) return 'it has more than one @'
  if (/[<>]/.test(text)) return 'leave out the name and the angle brackets'
  if (/["()\\]/.test(text)) return 'quotes and comments are not accepted'
  if (/\s/.test(text)) return 'it contains a blank'
  if (/[^\x00-\x7f]/.test(local))
    return 'the part before the @ must be ASCII, because mail servers refuse other letters there'
  if (local.length > 64) return 'the part before the @ has more than 64 characters'
  if (!LOCAL_PART.test(lowerCaseAscii(local))) return 'the part before the @ is not valid'
  if (/^\[|^[\d.]+$/.test(domain)) return 'an IP address instead of a domain is not accepted'
  if (!/[.。]/.test(domain)) return 'the domain after the @ is not complete'
  return 'the domain after the @ is not valid'
}

// Latin letters with accents, as in Europe's languages. Any other letter may pass for one of these: a Cyrillic а, a
// dotless ı.
const SHOWN_DOMAIN =
  /^[a-z0-9.\-\u00df-\u00f6\u00f8-\u0130\u0132-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u017e\u0219\u021b]+$/

/**
 * An address as people write it: an international domain in its Unicode form, if all of its letters are known to most
 * readers.
 * @param address a stored form
 */
export function displayEmailAddress(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  if (!domain.includes('xn--')) return address
  const shown = domainToUnicode(domain)
  return SHOWN_DOMAIN.test(shown) && domainToASCII(shown) === domain
    ? address.slice(0, -domain.length) + shown
    : address
}

/**
 * The address as shown to the holder of a link: `p***@example.com`.
 * @param address a stored form
 */
export function maskEmailAddress(address: string): string {
  const at = address.indexOf('@')
  return `${address.slice(0, 1)}***${displayEmailAddress(address).slice(at)}`
}

/** Providers that deliver several spellings to one mailbox. The first domain stands for all of a provider's domains. */
const PROVIDERS: readonly Readonly<{ domains: readonly string[]; plain: (local: string) => string }>[] = [
  { domains: ['gmail.com', 'googlemail.com'], plain: (local) => local.replaceAll('.', '') },
  { domains: ['protonmail.com', 'proton.me', 'pm.me', 'protonmail.ch'], plain: (local) => local.replace(/[._-]/g, '') },
  {
    domains: ['yandex.ru', 'yandex.com', 'ya.ru', 'yandex.by', 'yandex.kz', 'yandex.ua'],
    plain: (local) => local.replaceAll('-', '.'),
  },
  { domains: ['icloud.com', 'me.com', 'mac.com'], plain: (local) => local },
]

const providerOf = new Map(
  PROVIDERS.flatMap((provider) => provider.domains.map((domain) => [domain, provider] as const)),
)

/**
 * The mailbox that mail limits count: the address without `+tag`, in one spelling per provider. Use it for counting
 * only: at other providers `a+b` and `a` may be different people.
 * @param address a stored form
 */
export function mailboxOf(address: string): string {
  const [local = '', domain = ''] = address.split('@')
  const untagged = local.replace(/(?<=.)\+.*$/, '')
  const provider = providerOf.get(domain)
  return provider === undefined ? `${untagged}@${domain}` : `${provider.plain(untagged)}@${provider.domains[0]}`
}
