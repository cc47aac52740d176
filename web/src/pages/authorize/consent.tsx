/** Says who asks for what, and lets the person allow less. */
import { callSignedIn } from '../../api.ts'
import { goTo } from '../../page-paths.ts'
import type { Answer } from '../../operations.ts'
import { SignInFailure } from '../../parts/fresh-sign-in.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useAction } from '../../parts/use-action.ts'
import type { Restrictions } from '../key-restrictions/draft.ts'
import { RestrictionFields } from '../key-restrictions/restriction-fields.tsx'
import { useRestrictions } from '../key-restrictions/use-restrictions.ts'
import { words } from '../authorize.words.ts'
import styles from '../authorize.module.css'
import { forgetQuery } from './asked-query.ts'
import { useArmed } from './use-armed.ts'

export type Asked = NonNullable<Answer<'POST /oauth/authorize/inspect'>['request']>

type ConsentProps = Readonly<{ asked: Asked; email: string }>

export function Consent({ asked, email }: ConsentProps) {
  const { id, domain, name, redirectHost, isLoopback, scopes } = asked
  const isArmed = useArmed()
  const may = useRestrictions({ scopes: [...scopes] }, scopes)
  const decide = useAction(async (restrictions: Restrictions | null | undefined) => {
    const body = restrictions === undefined ? { allow: false } : { allow: true, ...(restrictions && { restrictions }) }
    const { redirectTo } = await callSignedIn('POST /oauth/authorize/decide', { body: { requestId: id, ...body } })
    forgetQuery()
    await goTo(redirectTo, 'replace')
  })
  const isReady = isArmed && !decide.isBusy
  return (
    // A held key repeats its press: none of these may count.
    <div class="stack" onKeyDown={(event) => event.repeat && event.key === 'Enter' && event.preventDefault()}>
      <div class="stack tight">
        <h1>{words.asks(domain)}</h1>
        <p class="soft">{name === null ? words.nameless : words.callsItself(name)}</p>
      </div>
      <dl class={styles.facts}>
        <dt>{words.account}</dt>
        <dd>{email}</dd>
        <dt>{words.goesTo}</dt>
        <dd>{redirectHost}</dd>
      </dl>
      {isLoopback && <Notice kind="warn">{words.loopback(domain)}</Notice>}
      <h2>{words.may}</h2>
      <RestrictionFields {...may.fields} />
      <p class="soft small">{words.ends}</p>
      <SignInFailure error={decide.error} resumed={{ dialog: 'authorize', typed: '' }} />
      <div class="actions">
        <button type="button" class="button plain" disabled={decide.isBusy} onClick={() => decide.run(undefined)}>
          {words.refuse}
        </button>
        <button
          type="button"
          class="button"
          aria-disabled={!isReady}
          // The second click of a double click counts as none.
          onClick={({ detail }) => isReady && detail < 2 && may.submit(decide.run)}
        >
          {decide.isBusy ? words.allowing : words.allow}
        </button>
      </div>
    </div>
  )
}
