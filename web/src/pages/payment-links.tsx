import { useState } from 'preact/hooks'
import { Dashboard } from '../parts/dashboard.tsx'
import { Modal } from '../parts/modal.tsx'
import { LoadFailure } from '../parts/load-failure.tsx'
import { Failure } from '../parts/notice.tsx'
import { useAction } from '../parts/use-action.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import { words } from './payment-links.words.ts'
import { CreateLink } from './payment-links/create-link.tsx'
import { LinkTable } from './payment-links/link-table.tsx'
import { deactivateLink, listLinks } from './payment-links/links.ts'
import type { PaymentLink } from './payment-links/links.ts'
import { chooseCurrency, chosenCurrency, currencies } from './payment-links/money.ts'

type Open = Readonly<{ dialog: 'create' }> | Readonly<{ dialog: 'deactivate'; link: PaymentLink }>

export function PaymentLinks() {
  const [older, setOlder] = useState<Awaited<ReturnType<typeof listLinks>>>()
  // Reads the chosen currency on each load, so that all amounts of a list have the same currency.
  const links = useLoaded(() => listLinks(chosenCurrency()))
  const [open, setOpen] = useState<Open>()
  const [outcome, setOutcome] = useState('')
  const close = (): void => setOpen(undefined)
  const reload = async (): Promise<void> => {
    setOlder(undefined)
    await links.reload()
  }
  const finish = async (then: string): Promise<void> => {
    await reload()
    close()
    setOutcome(then)
  }
  const nextCursor = older ? older.nextCursor : (links.value?.nextCursor ?? null)
  const more = useAction(async () => {
    if (nextCursor === null) return
    const page = await listLinks(chosenCurrency(), nextCursor)
    setOlder({ ...page, paymentLinks: [...(older?.paymentLinks ?? []), ...page.paymentLinks] })
  })
  const all = [...(links.value?.paymentLinks ?? []), ...(older?.paymentLinks ?? [])]

  return (
    <Dashboard
      title={words.title}
      aside={
        <button type="button" class="button" onClick={() => setOpen({ dialog: 'create' })}>
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
                checked={currency === chosenCurrency()}
                onChange={() => {
                  chooseCurrency(currency)
                  setOutcome('')
                  void reload()
                }}
              />
              {currency}
            </label>
          ))}
        </fieldset>
      </div>
      <div role="status">{outcome && <p class="notice good">{outcome}</p>}</div>
      <LoadFailure of={links} />
      <Failure error={links.error ? undefined : more.error} />
      {all.length > 0 && <LinkTable links={all} onDeactivate={(link) => setOpen({ dialog: 'deactivate', link })} />}
      {links.value && all.length === 0 && nextCursor === null && <p class="panel none soft">{words.none}</p>}
      {nextCursor !== null && (
        <button type="button" class="button plain start" aria-disabled={more.isBusy} onClick={() => more.run()}>
          {words.more}
        </button>
      )}

      {open?.dialog === 'create' && (
        <CreateLink
          currency={chosenCurrency()}
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
