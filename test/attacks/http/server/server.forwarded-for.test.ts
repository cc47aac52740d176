/** A caller's address comes from the socket or from a trusted proxy, never from the caller. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { sendRaw } from '../../../support/wire/raw.ts'
import { startService } from '../../../support/service.ts'
import type { Answer, Service } from '../../../support/service.ts'
import { linkIn } from '../../../support/mail/smtp.ts'

// Each failed sign-in counts for the client's network; the third is refused.
const LIMITS = { RATE_LIMITS: 'on', RATE_LIMIT_SIGN_IN_FAILURES: '2/1h', LOG_LEVEL: 'info' }

const fail = (service: Service, ...fields: readonly string[]): Promise<Answer> =>
  sendRaw(service.origin, ['GET /api/v1/auth/verify?token=unknown HTTP/1.1', ...fields])
const from = (address: string) => `X-Forwarded-For: ${address}`

/** Asserts that these addresses share one limit: two may fail, the others are refused. */
async function assertOneClient(service: Service, addresses: readonly string[]): Promise<void> {
  for (const [index, address] of addresses.entries()) {
    assertError(await fail(service, from(address)), index < 2 ? 'LINK_INVALID' : 'RATE_LIMITED')
  }
}

const warnings = ({ logLines }: Service) => logLines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)

describe('without a trusted proxy', () => {
  let service: Service
  before(async () => {
    service = await startService(LIMITS)
  })
  after(() => service.close())

  test('X-Forwarded-For is ignored for limits and in the log, with exactly one warning [CVE-2023-36456]', async () => {
    await fail(service)
    for (const nobody of ['', ',', ' , ,']) await sendRaw(service.origin, ['GET /healthz HTTP/1.1', from(nobody)])
    assert.deepEqual(warnings(service), [])
    await fail(service, from('192.0.2.1'))
    for (let n = 0; n < 50; n++) {
      assertError(
        await fail(
          service,
          from(`198.51.100.${n}, 10.0.0.${n}`),
          `X-Real-IP: 198.51.100.${n}`,
          `Forwarded: for=198.51.100.${n}`,
        ),
        'RATE_LIMITED',
      )
    }
    const [warning, ...more] = warnings(service)
    assert.deepEqual(more, [])
    assert.match(warning.msg, /X-Forwarded-For ignored.*TRUST_PROXY/)
    assert.equal(warning.proxy, '127.0.0.1')
    assert.doesNotMatch(service.logLines.join(''), /192\.0\.2|198\.51\.100/)
  })
})

describe('with TRUST_PROXY', () => {
  let service: Service
  before(async () => {
    service = await startService({ ...LIMITS, TRUST_PROXY: '127.0.0.1, 10.0.0.0/8, 2001:db8:f::/48' })
  })
  after(() => service.close())

  test('the right-most address that is not a trusted proxy counts, whatever precedes it [CVE-2023-36456]', async () => {
    await assertOneClient(service, [
      '192.0.2.1',
      '6.6.6.6, 192.0.2.1',
      '7.7.7.7,8.8.8.8 , 192.0.2.1',
      '127.0.0.1, 192.0.2.1',
      '192.0.2.9, 192.0.2.1, 10.1.2.3',
      'garbage, 192.0.2.1',
    ])
    assertError(await fail(service, from('6.6.6.6')), 'LINK_INVALID')
    assertError(await fail(service, from('192.0.2.1, 192.0.2.2')), 'LINK_INVALID')
    assert.ok(service.logLines.some((line) => JSON.parse(line).client === '192.0.2.1'))
  })

  test('several X-Forwarded-For fields are one list', async () => {
    for (const expected of ['LINK_INVALID', 'LINK_INVALID', 'RATE_LIMITED'] as const) {
      assertError(await fail(service, from('6.6.6.7'), from('192.0.2.3')), expected)
    }
  })

  test('all addresses of one IPv6 /64 are one client in any spelling, and the next /64 is another', async () => {
    const neighbours = ['::1', ':ffff:ffff:ffff:ffff', ':1:2:3:4', '::dead:beef', ':0:0:0:1', '::'].map(
      (end) => `2001:db8:1:2${end}`,
    )
    await assertOneClient(service, [...neighbours, '2001:DB8:0001:0002::9', '6.6.6.6, 2001:db8:1:2::a'])
    assertError(await fail(service, from('2001:db8:1:3::1')), 'LINK_INVALID')
  })

  test('an IPv4-mapped IPv6 address is that IPv4 address', async () => {
    await assertOneClient(service, ['192.0.2.4', '::ffff:192.0.2.4', '::FFFF:c000:204'])
  })

  test('Forwarded, X-Real-IP and similar fields are ignored even from a trusted proxy', async () => {
    for (const n of [1, 2, 3]) {
      const answer = await fail(
        service,
        from('192.0.2.5'),
        `X-Real-IP: 6.6.7.${n}`,
        `Forwarded: for=6.6.7.${n}`,
        `CF-Connecting-IP: 6.6.7.${n}`,
        `True-Client-IP: 6.6.7.${n}`,
      )
      assertError(answer, n < 3 ? 'LINK_INVALID' : 'RATE_LIMITED')
    }
  })

  test('a live link signs in from a network that has used up its limit', async () => {
    await assertOneClient(service, ['192.0.2.6', '192.0.2.6', '192.0.2.6'])
    await service.call('POST /auth/request', { body: { email: 'ana@example.com' } })
    const { search } = linkIn(await service.smtp.mailTo('ana@example.com'))
    const verified = await sendRaw(service.origin, [`GET /api/v1/auth/verify${search} HTTP/1.1`, from('192.0.2.6')])
    assert.equal(verified.status, 200)
  })

  test('no host or scheme named by a request appears in a link or a redirect [GHSA-3529-5m8x-rpv3, CVE-2025-64101]', async () => {
    const forged = [
      'Host: evil.example',
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: gopher',
      'X-Forwarded-Port: 61666',
      'X-Forwarded-Prefix: /evil',
      'X-Forwarded-Server: evil.example',
      'X-Host: evil.example',
      'Forwarded: for=192.0.2.7;host=evil.example;proto=gopher',
      from('192.0.2.7'),
    ]
    const json = ['Content-Type: application/json', ...forged]
    for (const [path, email] of [
      ['/auth/request', 'bob@example.com'],
      ['/auth/api/signup', 'eve@example.com'],
    ] as const) {
      await sendRaw(service.origin, [`POST /api/v1${path} HTTP/1.1`, ...json], JSON.stringify({ email }))
      const mail = await service.smtp.mailTo(email)
      assert.equal(linkIn(mail).origin, service.origin)
      assert.doesNotMatch(mail.raw, /evil|gopher|:61666/)
    }
    const redirected = await sendRaw(service.origin, [
      'GET /api/v1/auth/verify?token=x HTTP/1.1',
      'Accept: text/html',
      ...forged,
    ])
    assert.equal(redirected.headers.get('location'), `${service.origin}/confirm#token=x`)
    assert.doesNotMatch([...redirected.headers].join(), /evil|gopher|61666/)
  })

  test('none of this logs a warning', () => assert.deepEqual(warnings(service), []))
})
