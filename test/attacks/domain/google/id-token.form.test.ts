import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { oneTap, startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService } from '../../../support/google/google.ts'
import {
  assertRefused,
  assertAccepted,
  by,
  withClaims,
  headerOf,
  withHeader,
  keyOf,
  tokenOf,
} from '../../../support/google/id-tokens.ts'
import type { Forgery } from '../../../support/google/id-tokens.ts'
import { newKey } from '../../../support/google/issuer.ts'
import { segment } from '../../../support/accounts/tokens.ts'

let service: GoogleService
before(async () => {
  service = await startGoogleService()
})
after(() => service.close())

const rebuilt =
  (build: (header: string, payload: string, signature: string) => string): Forgery =>
  (right) => {
    const [header = '', payload = '', signature = ''] = service.issuer.sign(right).split('.')
    return build(header, payload, signature)
  }

const signedOver =
  (payload: unknown): Forgery =>
  () =>
    tokenOf(headerOf(service.issuer), payload, by(keyOf(service.issuer).privateKey))

const bytesOf = (signature: string) => Buffer.from(signature, 'base64url')

test('a signature that is wrong, of another key, truncated, extended or empty is refused [G1, G15]', async () => {
  const changed = (change: (bytes: Buffer) => Uint8Array): Forgery =>
    rebuilt((header, payload, signature) => `${header}.${payload}.${segment(change(bytesOf(signature)))}`)
  await assertRefused(service, {
    'by another key': (right) => service.issuer.sign(right, {}, newKey({ kid: keyOf(service.issuer).jwk['kid'] })),
    'of another token': (right) => {
      const [header, , signature] = service.issuer.sign(right).split('.')
      return `${header}.${segment({ ...right, sub: '1' })}.${signature}`
    },
    'of the payload alone': rebuilt((header, payload) => {
      const signature = by(keyOf(service.issuer).privateKey)(payload)
      return `${header}.${payload}.${signature.toString('base64url')}`
    }),
    empty: changed(() => Buffer.alloc(0)),
    zeros: changed((bytes) => Buffer.alloc(bytes.length)),
    ones: changed((bytes) => Buffer.alloc(bytes.length, 255)),
    'one bit flipped at the start': changed((bytes) => bytes.map((byte, n) => (n === 0 ? byte ^ 1 : byte))),
    'one bit flipped at the end': changed((bytes) => bytes.map((byte, n) => (n === 255 ? byte ^ 1 : byte))),
    truncated: changed((bytes) => bytes.subarray(0, -1)),
    halved: changed((bytes) => bytes.subarray(0, bytes.length / 2)),
    extended: changed((bytes) => Buffer.concat([bytes, Buffer.alloc(1)])),
    'extended at the start': changed((bytes) => Buffer.concat([Buffer.alloc(1), bytes])),
    twice: changed((bytes) => Buffer.concat([bytes, bytes])),
  })
})

test('two, four or five segments, JSON serialisations and other text are refused', async () => {
  const json = (parts: (given: { payload: string; protected: string; signature: string }) => unknown): Forgery =>
    rebuilt((header, payload, signature) => JSON.stringify(parts({ payload, protected: header, signature })))
  await assertRefused(service, {
    'no signature': rebuilt((header, payload) => `${header}.${payload}`),
    'empty signature': rebuilt((header, payload) => `${header}.${payload}.`),
    'an empty fourth segment': rebuilt((...parts) => `${parts.join('.')}.`),
    'a repeated fourth segment': rebuilt((...parts) => [...parts, parts[2]].join('.')),
    'five segments, like a JWE': rebuilt((...parts) => [...parts, parts[1], parts[2]].join('.')),
    'five empty segments': () => '....',
    'flattened JSON': json((parts) => parts),
    'general JSON': json(({ payload, ...signature }) => ({ payload, signatures: [signature] })),
    'no header': rebuilt((_header, payload, signature) => `.${payload}.${signature}`),
    'no payload': rebuilt((header, _payload, signature) => `${header}..${signature}`),
    word: () => 'credential',
    empty: () => ' ',
    dots: () => '..',
    quoted: rebuilt((...parts) => `"${parts.join('.')}"`),
    'with a scheme': rebuilt((...parts) => `Bearer ${parts.join('.')}`),
    twice: rebuilt((...parts) => `${parts.join('.')},${parts.join('.')}`),
  })
})

test('white space, padding and the standard base64 alphabet in the signed part are refused', async () => {
  const signs = [' ', '\n', '\t', '\r\n', '=', '\u0000', '\u00a0', '\ufeff', '%20', '+', '/']
  const corrupted = signs.flatMap((sign): [string, Forgery][] => {
    const name = JSON.stringify(sign)
    return [
      [`${name} in front`, rebuilt((...parts) => sign + parts.join('.'))],
      [`${name} after the header`, rebuilt((header, payload, signature) => `${header}${sign}.${payload}.${signature}`)],
      [
        `${name} within the payload`,
        rebuilt((header, payload, signature) => {
          const corruptedPayload = payload.slice(0, 9) + sign + payload.slice(9)
          return `${header}.${corruptedPayload}.${signature}`
        }),
      ],
      [
        `${name} before the last dot`,
        rebuilt((header, payload, signature) => `${header}.${payload}${sign}.${signature}`),
      ],
    ]
  })
  await assertRefused(service, Object.fromEntries(corrupted))
})

test('a header with crit, an unencoded payload or another type is refused', async () => {
  const types = [null, '', 'at+jwt', 'logout+jwt', 'secevent+jwt', 'dpop+jwt', 'JOSE', 'JWE', 1, ['JWT']]
  const clear: Forgery = (right) => {
    const payload = JSON.stringify(right).replaceAll('.', '\\u002e')
    const input = `${segment(headerOf(service.issuer, { b64: false, crit: ['b64'] }))}.${payload}`
    return `${input}.${by(keyOf(service.issuer).privateKey)(input).toString('base64url')}`
  }
  await assertRefused(service, {
    ...Object.fromEntries(types.map((typ) => [`typ ${JSON.stringify(typ)}`, withHeader(service.issuer, { typ })])),
    'crit, unknown': withHeader(service.issuer, { crit: ['https://bank.example/iat'], 'https://bank.example/iat': 1 }),
    'crit, absent parameter': withHeader(service.issuer, { crit: ['b64'] }),
    'crit, known parameter': withHeader(service.issuer, { crit: ['b64'], b64: true }),
    'crit, registered parameter': withHeader(service.issuer, { crit: ['alg'] }),
    'crit, empty': withHeader(service.issuer, { crit: [] }),
    'crit, text': withHeader(service.issuer, { crit: 'b64', b64: true }),
    'b64 false': withHeader(service.issuer, { crit: ['b64'], b64: false }),
    'b64 false, unencoded': clear,
    compressed: withHeader(service.issuer, { crit: ['zip'], zip: 'DEF' }),
  })
  // OpenID Connect allows omitting `typ`.
  await assertAccepted(service, { 'no typ': withHeader(service.issuer, { typ: undefined }) })
})

test('a header that is not a JSON object is refused', async () => {
  const headers = ['', '{', 'null', '[]', '"RS256"', '1', '{}', '{"alg":"RS256"', "{'alg':'RS256'}"]
  await assertRefused(
    service,
    Object.fromEntries(
      headers.map((header) => [
        header,
        (right) => tokenOf(Buffer.from(header), right, by(keyOf(service.issuer).privateKey)),
      ]),
    ),
  )
})

test('a correctly signed payload that is not a JSON object in UTF-8 is refused', async () => {
  const right = JSON.stringify(service.issuer.claims())
  const payloads: Record<string, unknown> = {
    nothing: Buffer.alloc(0),
    word: Buffer.from('payload'),
    truncated: Buffer.from(right.slice(0, -1)),
    twice: Buffer.from(right + right),
    null: null,
    number: 1,
    text: 'claims',
    true: true,
    list: [],
    'list of claims': [JSON.parse(right)],
    'empty object': {},
    'UTF-16': Buffer.from(right, 'utf16le'),
    // Valid except for one byte in a string: a decoder that replaces it reads another text than was signed.
    'not UTF-8': Buffer.from(right.replace('"azp"', '"name":"\u00ff","azp"'), 'latin1'),
  }
  const forgeries = Object.entries(payloads).map(([name, payload]) => [name, signedOver(payload)])
  await assertRefused(service, Object.fromEntries(forgeries))
})

test('a token of up to 8192 characters is accepted, and a longer valid one refused', async () => {
  /** The longest token of at most this length. The signature of a 2048-bit key has 342 characters. */
  const ofLength =
    (most: number): Forgery =>
    (right) => {
      const lengthWith = (pad: number) =>
        segment(headerOf(service.issuer)).length + segment({ ...right, pad: 'x'.repeat(pad) }).length + 344
      let pad = 5000
      while (lengthWith(pad + 1) <= most) pad += 1
      return service.issuer.sign({ ...right, pad: 'x'.repeat(pad) })
    }
  await assertAccepted(service, {
    longest(right) {
      const token = ofLength(8192)(right)
      // Base64url has no length of 4n + 1, so the longest may be one character shorter.
      assert.ok(token.length >= 8191)
      return token
    },
  })
  await assertRefused(service, {
    'longer by at most two': (right) => {
      const token = ofLength(8194)(right)
      assert.ok(token.length > 8192)
      return token
    },
    'twice the length': (right) => service.issuer.sign({ ...right, pad: 'x'.repeat(12_000) }),
    'letters only': () => 'a'.repeat(60_000),
    'dots only': () => '.'.repeat(60_000),
  })
  assert.equal((await oneTap(service)).status, 200)
})

test('control: the valid tokens made by this test are accepted', () =>
  assertAccepted(service, {
    rebuilt: rebuilt((...parts) => parts.join('.')),
    claiming: withClaims(service.issuer, {}),
    heading: withHeader(service.issuer, {}),
    'signed over bytes': (right) => signedOver(Buffer.from(JSON.stringify(right)))(right),
  }))
