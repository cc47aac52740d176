import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { fragment } from '../fragment.ts'
import { Dashboard } from '../parts/dashboard.tsx'
import { LoadFailure } from '../parts/load-failure.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { words } from './payment-links.words.ts'
import { CreateLink } from './payment-links/create-link.tsx'
import { Filters } from './payment-links/filters.tsx'
import { endButtonId, LinkTable, RatesNote } from './payment-links/link-table.tsx'
import type { PaymentLink } from './payment-links/links.ts'
import { currencies } from './payment-links/money.ts'
import type { Currency } from './payment-links/money.ts'
import { NoLinks, NothingFound } from './payment-links/no-links.tsx'
import { ShareLink } from './payment-links/share-link.tsx'
import { useEnding } from './payment-links/use-ending.ts'
import { useLinks } from './payment-links/use-links.ts'

type Open = Readonly<{ dialog: 'create' }> | Readonly<{ dialog: 'share'; link: PaymentLink; isNew: boolean }>

type ChoiceProps = Readonly<{ asked: Currency; onChoose(currency: Currency): void }>

const CurrencyChoice = ({ asked, onChoose }: ChoiceProps) => (
  <div class="row">
    <span class="small soft" aria-hidden="true">
      {words.showIn}
    </span>
    <fieldset class="segments">
      <legend class="visually-hidden">{words.showIn}</legend>
      {currencies.map((currency) => (
        <label key={currency}>
          <input
            type="radio"
            class="visually-hidden"
            name="currency"
            checked={currency === asked}
            onClick={() => onChoose(currency)}
          />
          {currency}
        </label>
      ))}
    </fieldset>
  </div>
)

export function PaymentLinks() {
  const links = useLinks()
  const { asked, list, isFiltered, isStale } = links
  const [open, setOpen] = useState<Open>()
  const close = (): void => setOpen(undefined)
  // The link that takes the focus: the button that was pressed may be gone.
  const [focus, setFocus] = useState<Readonly<{ id: string | undefined }>>({ id: undefined })
  const focused = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => focused.current?.focus(), [focus])
  const field = useRef<HTMLInputElement>(null)
  const createButton = useRef<HTMLButtonElement>(null)
  const ending = useEnding((link, status) => {
    if (document.activeElement?.id === endButtonId(link)) setFocus({ id: link.id })
    links.mark(link.id, status)
  })
  const create = (): void => {
    // The focus returns to it when the last dialog closes, also after the empty state's own button is gone.
    createButton.current?.focus()
    setOpen({ dialog: 'create' })
  }
  // Something to bookmark. A sign-in in between returns to the list: its targets are paths.
  useEffect(() => {
    if (fragment.has('new')) create()
  }, [])
  const clear = (): void => {
    links.clear()
    field.current?.focus()
  }
  const all = list?.paymentLinks ?? []
  const hasMore = typeof list?.nextCursor === 'string'
  const isEmpty = list !== undefined && all.length === 0 && !isStale
  const isWithoutLinks = isEmpty && !isFiltered && !hasMore

  return (
    <Dashboard
      title={words.title}
      aside={
        <button ref={createButton} type="button" class="button" onClick={create}>
          {words.create}
        </button>
      }
    >
      <div class="row apart">
        <p class="soft lead">{words.lead}</p>
        {!isWithoutLinks && <CurrencyChoice asked={asked.currency} onChoose={(currency) => links.ask({ currency })} />}
      </div>
      <div class="stack">
        {!isWithoutLinks && <Filters of={links} field={field} />}
        <LoadFailure of={links} />
        <Skeleton label={words.loading} isShown={!list && !links.error} rows={4} />
        <div class={isEmpty ? 'visually-hidden' : 'row apart'}>
          <p role="status" class="small soft">
            {isStale
              ? links.isConverting
                ? words.converting(asked.currency)
                : words.searching
              : list && !isWithoutLinks && words.count({ count: all.length, hasMore, isFiltered })}
          </p>
          {!links.isConverting && <RatesNote links={all} />}
        </div>
        {all.length > 0 && (
          <LinkTable
            links={all}
            currency={asked.currency}
            isStale={isStale}
            isConverting={links.isConverting}
            ending={ending}
            focus={{ id: focus.id, ref: focused }}
            onShare={(link) => setOpen({ dialog: 'share', link, isNew: false })}
          />
        )}
        {isWithoutLinks && <NoLinks currency={asked.currency} onCreate={create} />}
        {isEmpty && !isWithoutLinks && <NothingFound search={asked.search} isToTheEnd={!hasMore} onClear={clear} />}
        {hasMore && (
          <button
            type="button"
            class="button plain start"
            aria-disabled={links.isLoading}
            onClick={() => void links.showMore().then((id) => setFocus({ id }))}
          >
            {all.length > 0 ? words.more : words.nothing.searchOn}
          </button>
        )}
      </div>
      {open?.dialog === 'create' && (
        <CreateLink
          onClose={close}
          onCreated={(link) => {
            links.add(link)
            setOpen({ dialog: 'share', link, isNew: true })
          }}
        />
      )}
      {open?.dialog === 'share' && <ShareLink link={open.link} isNew={open.isNew} onClose={close} />}
    </Dashboard>
  )
}
