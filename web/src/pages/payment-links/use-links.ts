import { useEffect, useRef, useState } from 'preact/hooks'
import { useLoaded } from '../../parts/use-loaded.ts'
import { findLinks } from './links.ts'
import type { Asked, LinkStatus, ListOfLinks, PaymentLink } from './links.ts'
import { chooseCurrency, chosenCurrency } from './money.ts'

const TYPING_MS = 250

/** The list of payment links, what it is filtered by, and its changes. */
export function useLinks() {
  const links = useLoaded<ListOfLinks, Asked>('payment links', (signal, asked) => findLinks(asked, signal), {
    currency: chosenCurrency('list'),
    status: undefined,
    search: '',
  })
  const [text, setText] = useState('')
  const latest = useRef(links)
  latest.current = links
  const typed = useRef(text)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // A failed load returns to the currency before.
  useEffect(() => chooseCurrency('list', links.key.currency), [links.key.currency])

  const ask = (change: Partial<Asked> = {}): void => {
    clearTimeout(timer.current)
    const { key, error, load } = latest.current
    const asked = { ...key, search: toSearch(typed.current), ...change }
    const isSame = asked.currency === key.currency && asked.status === key.status && asked.search === key.search
    if (!isSame || error) void load(asked)
  }
  const type = (changed: string): void => {
    typed.current = changed
    setText(changed)
    clearTimeout(timer.current)
    timer.current = setTimeout(ask, TYPING_MS)
  }
  const clear = (): void => {
    typed.current = ''
    setText('')
    ask({ status: undefined })
  }
  const { key, value, isLoading, isStale, error, retry } = links
  const isFiltered = key.search !== '' || key.status !== undefined
  return {
    asked: key,
    text,
    /** Undefined until it is loaded, and while it is not what the field asks for because that could not be loaded. */
    list: error && toSearch(text) !== key.search ? undefined : value,
    isFiltered,
    isLoading,
    isStale,
    /** Whether the amounts are still in the currency before. */
    isConverting: isStale && value?.asked.currency !== key.currency,
    error,
    retry,
    ask,
    type,
    clear,
    /** Puts a new link on top of the list; one in another currency is loaded with the rest, to be converted. */
    add(link: PaymentLink): void {
      if (isFiltered) clear()
      else if (value && (link.amount ?? link.original).currency === key.currency)
        links.update((list) => ({ ...list, paymentLinks: [link, ...list.paymentLinks] }))
      else void links.reload()
    },
    /** In its place, so that the pages that are shown stay. */
    mark(id: string, status: LinkStatus): void {
      latest.current.update((list) => ({
        ...list,
        paymentLinks: list.paymentLinks.map((link) => (link.id === id ? { ...link, status } : link)),
      }))
    },
    /** Returns the id of the first link that it adds. */
    async showMore(): Promise<string | undefined> {
      let firstNewId: string | undefined
      await links.extend(async ({ paymentLinks, nextCursor }, signal) => {
        const next = await findLinks(key, signal, nextCursor ?? '')
        firstNewId = next.paymentLinks[0]?.id
        return { ...next, paymentLinks: [...paymentLinks, ...next.paymentLinks] }
      })
      return firstNewId
    },
  }
}

// The address of a link finds it: its last part is the id.
const toSearch = (text: string): string => text.trim().replace(/^https?:\/\/\S*\/(?=[^/\s]+$)/i, '')
