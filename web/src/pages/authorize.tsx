/** An app asks for access (OAuth): the person sees who asks for what, and decides. Nothing is remembered for a next time. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { callSignedIn } from '../api.ts'
import type { Answer } from '../operations.ts'
import { goTo, paths, signInFor } from '../page-paths.ts'
import { CardPage } from '../parts/card-page.tsx'
import { canShow, SignInAgain } from '../parts/fresh-sign-in.tsx'
import { LoadFailure } from '../parts/load-failure.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { currentToken } from '../session.ts'
import { readUser } from '../user.ts'
import { words } from './authorize.words.ts'
import { askedQuery } from './authorize/asked-query.ts'
import { Consent } from './authorize/consent.tsx'

export function Authorize() {
  const [query] = useState(askedQuery)
  const [isSignedIn] = useState(() => currentToken() !== undefined)
  const [isFresh] = useState(() => canShow('authorize'))
  useEffect(() => {
    if (!isSignedIn) void goTo(signInFor(paths.authorize), 'replace')
  }, [])
  return (
    <CardPage title={words.title}>
      {query === '' ? (
        <Told title={words.nothingTitle} text={words.nothing} />
      ) : !isSignedIn ? null : isFresh ? (
        <Looked query={query} />
      ) : (
        <>
          <h1>{words.title}</h1>
          <SignInAgain dialog="authorize" />
        </>
      )}
    </CardPage>
  )
}

function Looked({ query }: Readonly<{ query: string }>) {
  const found = useLoaded('authorization', async (signal) => {
    const { email } = await readUser(signal)
    return { email, ...(await callSignedIn('POST /oauth/authorize/inspect', { body: { query }, signal })) }
  })
  const { value } = found
  if (value?.request) return <Consent asked={value.request} email={value.email} />
  if (value?.refused) return <Refused refused={value.refused} />
  return (
    <>
      <h1>{words.title}</h1>
      <p class="soft" role="status">
        {found.error ? '' : words.loading}
      </p>
      <LoadFailure of={found} />
    </>
  )
}

type RefusedProps = Readonly<{ refused: NonNullable<Answer<'POST /oauth/authorize/inspect'>['refused']> }>

const Refused = ({ refused: { error, message, redirectTo } }: RefusedProps) => (
  <Told title={words.refusedTitle} text={words.refused}>
    <p class="small soft" lang="en">
      <code>{error}</code>: {message}
    </p>
    {redirectTo !== null && (
      // The person goes there by a click: a link to this service must not be a link to anywhere.
      <a class="button plain wide" href={redirectTo} rel="noreferrer">
        {words.backTo(new URL(redirectTo).host)}
      </a>
    )}
  </Told>
)

type ToldProps = Readonly<{ title: string; text: string; children?: ComponentChildren }>

const Told = ({ title, text, children }: ToldProps) => (
  <>
    <h1>{title}</h1>
    <p class="soft">{text}</p>
    {children}
    <a href={paths.home}>{words.home}</a>
  </>
)
