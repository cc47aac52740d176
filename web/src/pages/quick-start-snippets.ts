/** Commands of the quick start with the URL of this installation, runnable as shown. */
import { baseUrl } from '../api.ts'

export const tools = ['curl', 'Node', 'Python'] as const

export type Tool = (typeof tools)[number]

type Snippets = Readonly<Record<Tool, string>>

export const signup: Snippets = {
  curl: `curl -sS ${baseUrl}/auth/api/signup \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"you@example.com","keyName":"My server"}'`,
  Node: `// signup.mjs
const answer = await fetch('${baseUrl}/auth/api/signup', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email: 'you@example.com', keyName: 'My server' }),
})
console.log(await answer.json())`,
  Python: `# signup.py
import json, urllib.request

request = urllib.request.Request(
    "${baseUrl}/auth/api/signup",
    json.dumps({"email": "you@example.com", "keyName": "My server"}).encode(),
    {"Content-Type": "application/json"},
)
print(json.load(urllib.request.urlopen(request)))`,
}

export const environment = `export PAYLINK_KEY_ID='plk_…'
export PAYLINK_KEY_SECRET='pls_…'`

export const exchange: Snippets = {
  curl: `TOKEN=$(curl -sS ${baseUrl}/auth/api/token \\
  -H 'Content-Type: application/json' \\
  -d "{\\"keyId\\":\\"$PAYLINK_KEY_ID\\",\\"keySecret\\":\\"$PAYLINK_KEY_SECRET\\"}" |
  sed -nE 's/.*"token":"([^"]+)".*/\\1/p')`,
  Node: `// call.mjs
const { PAYLINK_KEY_ID: keyId, PAYLINK_KEY_SECRET: keySecret } = process.env
const exchanged = await fetch('${baseUrl}/auth/api/token', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ keyId, keySecret }),
})
const { token, expiresInSeconds } = await exchanged.json()`,
  Python: `# call.py
import json, os, urllib.request

key = {
    "keyId": os.environ["PAYLINK_KEY_ID"],
    "keySecret": os.environ["PAYLINK_KEY_SECRET"],
}
exchange = urllib.request.Request(
    "${baseUrl}/auth/api/token",
    json.dumps(key).encode(),
    {"Content-Type": "application/json"},
)
token = json.load(urllib.request.urlopen(exchange))["token"]`,
}

export const callWithToken: Snippets = {
  curl: `curl -sS ${baseUrl}/users/me \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'X-Currency: EUR'`,
  Node: `const me = await fetch('${baseUrl}/users/me', {
  headers: { authorization: \`Bearer \${token}\`, 'x-currency': 'EUR' },
})
console.log(me.status, await me.json())`,
  Python: `me = urllib.request.Request(
    "${baseUrl}/users/me",
    headers={"Authorization": f"Bearer {token}", "X-Currency": "EUR"},
)
print(json.load(urllib.request.urlopen(me)))`,
}

/** Rotation without downtime. */
export const rotate = `# Which id has the key?
curl -sS ${baseUrl}/auth/api-keys \\
  -H "Authorization: Bearer $TOKEN"

# With that id in ID:
curl -sS -X POST ${baseUrl}/auth/api-keys/$ID/rotate \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"graceSeconds":3600}'`

export const openApiUrl = `${baseUrl}/openapi.json`
