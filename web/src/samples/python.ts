import { inPythonAndGo } from './literals.ts'
import { exampleLink } from './sample.ts'
import type { Sample } from './sample.ts'

const { idempotencyKey, currency, amount, title, reference } = exampleLink

export const python: Sample = {
  language: 'Python',
  file: 'create-link.py',
  run: 'python3 create-link.py',
  program: ({ baseUrl, keyId, keySecret }) => String.raw`import json
import sys
import urllib.error
import urllib.request

API = ${inPythonAndGo(baseUrl)}
KEY_ID = ${inPythonAndGo(keyId)}
KEY_SECRET = ${inPythonAndGo(keySecret)}


def call(path, body, headers={}):
    request = urllib.request.Request(
        API + path,
        json.dumps(body).encode(),
        {"Content-Type": "application/json", **headers},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        request_id = error.headers["X-Request-Id"]
        sys.exit(f"{error.code} {error.read().decode()} request {request_id}")
    except OSError as error:
        sys.exit(f"No answer: {error}")


# A token works for an hour: use it for many calls.
token = call("/auth/api/token", {"keyId": KEY_ID, "keySecret": KEY_SECRET})["token"]

created = call(
    "/payment-links",
    {
        "amount": ${amount},
        "title": "${title}",
        "reference": "${reference}",
    },
    {
        "Authorization": f"Bearer {token}",
        "X-Currency": "${currency}",
        # A repeated call returns the same link.
        "Idempotency-Key": "${idempotencyKey}",
    },
)
print(created["paymentLink"]["url"])`,
}
