import { useEffect, useState } from 'preact/hooks'
import { Dashboard } from '../parts/dashboard.tsx'
import { Modal } from '../parts/modal.tsx'
import { LoadFailure } from '../parts/load-failure.tsx'
import { Failure } from '../parts/notice.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { useAction } from '../parts/use-action.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import { words } from './payment-links.words.ts'
import { CreateLink } from './payment-links/create-link.tsx'
import { LinkTable } from './payment-links/link-table.tsx'
import { deactivateLink, listLinks } from './payment-links/links.ts'
import type { PaymentLink } from './payment-links/links.ts'
import { chooseCurrency, chosenCurrency, currencies } from './payment-links/money.ts'
import type { Currency } from './payment-links/money.ts'

type Open = Readonly<{ dialog: 'create'; currency: Currency }> | Readonly<{ dialog: 'deactivate'; link: PaymentLink }>

export function PaymentLinks() {
  const links = useLoaded((signal, currency) => listLinks(currency, signal), chosenCurrency())
  const [open, setOpen] = useState<Open>()
  const [outcome, setOutcome] = useState('')
  const close = (): void => setOpen(undefined)
  const finish = async (then: string): Promise<void> => {
    await links.reload()
    close()
    setOutcome(then)
  }
  const showMore = (): Promise<void> =>
    links.extend(async ({ paymentLinks, nextCursor }, signal) => {
      const next = await listLinks(links.key, signal, nextCursor ?? '')
      return { ...next, paymentLinks: [...paymentLinks, ...next.paymentLinks] }
    })
  const { paymentLinks: all = [], nextCursor = null } = links.value ?? {}
  // A failed load returns to the currency before.
  useEffect(() => chooseCurrency(links.key), [links.key])

  return (
    <Dashboard
      title={words.title}
      aside={
        <button type="button" class="button" onClick={() => setOpen({ dialog: 'create', currency: links.key })}>
          {words.create}
        </button>
      }
    >
      <div class="row apart">
        <p class="soft lead">{words.lead}</p>
        <fieldset class="segments">
          <legend class="visually-hidden">{words.currency}</legend>
          {currencies.map((currency) => (
            <label key={currency}>
              <input
                type="radio"
                class="visually-hidden"
                name="currency"
                checked={currency === links.key}
                onChange={() => {
                  setOutcome('')
                  void links.load(currency)
                }}
              />
              {currency}
            </label>
          ))}
        </fieldset>
      </div>
      <div role="status">{outcome && <p class="notice good">{outcome}</p>}</div>
      <LoadFailure of={links} />
      <p role="status" class="visually-hidden">
        {links.isStale ? words.converting(links.key) : ''}
      </p>
      <Skeleton label={words.loading} isShown={!links.value && !links.error} rows={4} />
      {all.length > 0 && (
        <LinkTable
          links={all}
          isStale={links.isStale}
          onDeactivate={(link) => setOpen({ dialog: 'deactivate', link })}
        />
      )}
      {links.value && all.length === 0 && nextCursor === null && <p class="panel none soft">{words.none}</p>}
      {nextCursor !== null && (
        <button
          type="button"
          class="button plain start"
          aria-disabled={links.isLoading}
          onClick={() => void showMore()}
        >
          {words.more}
        </button>
      )}

      {open?.dialog === 'create' && (
        <CreateLink
          currency={open.currency}
          onClose={close}
          onCreated={({ title }) => void finish(words.isCreated(title))}
        />
      )}
      {open?.dialog === 'deactivate' && (
        <Deactivate link={open.link} onClose={close} onDone={() => void finish(words.isDeactivated(open.link.title))} />
      )}
    </Dashboard>
  )
}

type DeactivateProps = Readonly<{ link: PaymentLink; onClose(): void; onDone(): void }>

function Deactivate({ link, onClose, onDone }: DeactivateProps) {
  const action = useAction(async () => {
    await deactivateLink(link)
    onDone()
  })
  const { deactivating } = words
  return (
    <Modal title={deactivating.title(link.title)} {...(action.isBusy ? {} : { onClose })}>
      <p>{deactivating.text}</p>
      <Failure error={action.error} />
      <div class="actions">
        <button type="button" class="button plain" disabled={action.isBusy} autofocus onClick={onClose}>
          {words.cancel}
        </button>
        <button type="button" class="button danger" aria-disabled={action.isBusy} onClick={() => action.run()}>
          {action.isBusy ? deactivating.acting : deactivating.act}
        </button>
      </div>
    </Modal>
  )
}
