/** Target of a payment link, unless `PAYMENT_URL` names another. Shows the amount; does not collect the payment. */
import { call, CallError } from '../api.ts'
import type { Answer } from '../operations.ts'
import { Failure } from '../parts/notice.tsx'
import { CardPage } from '../parts/card-page.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { words } from './pay.words.ts'
import { toMoneyText } from './payment-links/money.ts'
import styles from './pay.module.css'

type PublicLink = Answer<'getPublicPaymentLink'>['paymentLink']

const id = location.pathname.split('/').at(-1) ?? ''
async function readLink(signal: AbortSignal): Promise<PublicLink> {
  const path = `/payment-links/${encodeURIComponent(id)}/public`
  return (await call<Answer<'getPublicPaymentLink'>>('GET', path, { signal })).paymentLink
}

export function Pay() {
  const { value: link, error, retry } = useLoaded(readLink)
  if (link !== undefined) {
    return (
      <CardPage title={link.title ?? words.title} isForPayer>
        {link.title !== null && <p class="soft">{words.title}</p>}
        <h1 key="of-link" class={styles.title}>
          {link.title ?? words.title}
        </h1>
        {link.amount !== null && <p class={styles.price}>{toMoneyText(link.amount)}</p>}
        <p class={link.status === 'ACTIVE' ? 'notice good' : 'notice warn'}>{words.status[link.status]}</p>
        <p class="soft small">{words.care}</p>
      </CardPage>
    )
  }
  const isUnknown = error instanceof CallError && error.code === 'NOT_FOUND'
  return (
    <CardPage title={words.title} isForPayer>
      <h1 class={styles.title}>{words.title}</h1>
      {error === undefined && <p role="status">{words.looking}</p>}
      <Failure error={isUnknown ? new Error(words.unknown) : error} />
      {error !== undefined && !isUnknown && (
        <button type="button" class="button wide" onClick={() => void retry()}>
          {words.retry}
        </button>
      )}
    </CardPage>
  )
}
