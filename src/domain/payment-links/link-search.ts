import type { PaymentLinkRow } from './payment-link-store.ts'

type SearchedFields = Pick<PaymentLinkRow, 'id' | 'title' | 'reference'>

/**
 * Characters of titles and references beyond ASCII that one page folds at most. In the most expensive scripts they take
 * 3 ms of the event loop, and 1,000 titles of 30 characters fit.
 */
const MAX_FOLDED = 30_000

/**
 * The links that contain every word of `search` in their title, reference or id, in any case and without accents:
 * "plata" finds "Plată". Compared here, because each database folds case in its own way, SQLite that of ASCII only.
 *
 * @returns at most `limit` links; `compared` counts the links looked at, which are fewer when `limit` or a bound of
 *   processor time was reached
 */
export function findMatching<T extends SearchedFields>(
  links: readonly T[],
  search: string,
  limit: number,
): Readonly<{ found: T[]; compared: number }> {
  // Split first: a word of combining marks alone folds to nothing, and every text contains that.
  const words = search.trim().split(/\s+/).map(fold)
  const found: T[] = []
  let [folded, compared] = [0, 0]
  if (words.includes('')) return { found, compared: links.length }
  for (const link of links) {
    if (found.length === limit || folded >= MAX_FOLDED) break
    compared += 1
    const fields = [link.title, link.reference ?? '', link.id]
    // The line breaks, which no field contains, keep a word from matching across two fields.
    const text = fields.map(fold).join('\n')
    if (words.every((word) => text.includes(word))) found.push(link)
    for (const field of fields) if (!ASCII.test(field)) folded += field.length
  }
  return { found, compared }
}

const ASCII = /^\p{ASCII}*$/u

// Canonical decomposition only: the compatible one turns one character into as many as eighteen.
function fold(text: string): string {
  const plain = ASCII.test(text) ? text : text.normalize('NFD').replaceAll(/\p{M}+/gu, '')
  return plain.toLowerCase()
}
