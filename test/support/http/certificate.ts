/** Self-signed certificates for TLS servers of tests. */
import { generateKeyPairSync, sign } from 'node:crypto'

export type Certificate = Readonly<{ key: string; cert: string }>

const DAY_MS = 86_400_000

/** DER (ITU-T X.690): tag, length, content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const time = (ms: number) => der(0x18, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]|\.\d+Z$/g, '')}Z`))

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))
const [COMMON_NAME, ALTERNATIVE_NAME, BASIC_CONSTRAINTS] = [oid('550403'), oid('551d11'), oid('551d13')]
const TRUE = der(0x01, Buffer.from([0xff]))

/** A self-signed certificate (RFC 5280) for loopback. */
export function selfSigned({ host = 'localhost', endsInDays = 2 } = {}): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(host)))))
  const endMs = Date.now() + endsInDays * DAY_MS
  const names = [
    der(0x82, Buffer.from(host)),
    ...(host === 'localhost' ? [der(0x87, Buffer.from([127, 0, 0, 1]))] : []),
  ]
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(endMs - 4 * DAY_MS), time(endMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        sequence(ALTERNATIVE_NAME, der(0x04, sequence(...names))),
        sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(TRUE))),
      ),
    ),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey))
  const base64 =
    sequence(toBeSigned, ECDSA_WITH_SHA256, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}
