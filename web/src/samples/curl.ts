import { inShell } from './literals.ts'
import { exampleLink } from './sample.ts'
import type { Sample, Values } from './sample.ts'

const { idempotencyKey, currency, amount, title, reference } = exampleLink

/**
 * In parentheses, so that `exit` does not end the shell it is pasted into. Without comments, which an interactive zsh
 * takes for commands. The secret goes through a pipe: arguments are visible in the list of processes.
 */
export const curl: Sample = {
  language: 'curl',
  file: 'create-link.sh',
  run: 'sh create-link.sh',
  program: ({ baseUrl, keyId, keySecret }) => String.raw`(
  api=${inShell(baseUrl)}
  key=${inShell(JSON.stringify({ keyId, keySecret }))}

  call() {
    curl --silent --show-error --fail-with-body --max-time 30 \
      --write-out '%{onerror} request %header{x-request-id}' \
      --header 'Content-Type: application/json' "$@"
  }
  field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
  stop() { printf '%s\n' "$1" >&2; exit 1; }

  answer=$(printf '%s' "$key" | call "$api/auth/api/token" --data @-) || stop "$answer"
  token=$(printf '%s' "$answer" | field token)

  answer=$(call "$api/payment-links" \
    --header "Authorization: Bearer $token" \
    --header 'X-Currency: ${currency}' \
    --header 'Idempotency-Key: ${idempotencyKey}' \
    --data ${inShell(JSON.stringify({ amount, title, reference }))}) || stop "$answer"
  printf '%s\n' "$answer" | field url
)`,
}

/** Creates an account with its first key. */
export const curlSignup = (baseUrl: string): string =>
  `curl -sS ${inShell(`${baseUrl}/auth/api/signup`)} \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"you@example.com","keyName":"My server"}'`

export const curlExchange = ({ baseUrl, keyId, keySecret }: Values): string =>
  `curl -sS ${inShell(`${baseUrl}/auth/api/token`)} \\
  -H 'Content-Type: application/json' \\
  -d ${inShell(JSON.stringify({ keyId, keySecret }))}`

/** `TOKEN` is the token. */
export const curlCall = (baseUrl: string): string =>
  `curl -sS ${inShell(`${baseUrl}/users/me`)} \\
  -H "Authorization: Bearer $TOKEN"`

/** Rotation without downtime. The id in the URL is not the `keyId`: the list has both. */
export const curlRotate = ({ baseUrl, keyId, keySecret }: Values): string =>
  String.raw`TOKEN=$(printf '%s' ${inShell(JSON.stringify({ keyId, keySecret }))} |
  curl -sS ${inShell(`${baseUrl}/auth/api/token`)} -H 'Content-Type: application/json' -d @- |
  sed -n 's/.*"token":"\([^"]*\)".*/\1/p')

ID=$(curl -sS ${inShell(`${baseUrl}/auth/api-keys`)} -H "Authorization: Bearer $TOKEN" |
  sed -n 's/.*"id":"\([^"]*\)","name":[^{]*"keyId":"${keyId}".*/\1/p')

curl -sS -X POST ${inShell(`${baseUrl}/auth/api-keys/`)}"$ID/rotate" \
  -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: application/json' \
  -d '{"graceSeconds":3600}'`
