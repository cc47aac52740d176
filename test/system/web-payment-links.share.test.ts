import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'
import { assertAccessible, settling } from '../support/browser/web-checks.ts'
import { startWeb } from '../support/browser/web.ts'
import type { Look, Web } from '../support/browser/web.ts'

let web: Web

before(async () => {
  web = await startWeb({ EXCHANGE_RATES_URL: 'off' })
})
after(() => web.stop())

async function openLinks(email: string, look: Look = {}, at = '', isNamed = true) {
  const token = await web.signInWithGoogle(email, isNamed ? 'Ana' : undefined)
  const opened = await web.openPage(look)
  await opened.page.goto('/healthz')
  await opened.page.evaluate(`localStorage.setItem('token', '${token}')`)
  const settled = settling(opened.page)
  await opened.page.goto(`/dashboard/payment-links${at}`)
  await settled()
  return { ...opened, token }
}

async function linksOf(token: string): Promise<any[]> {
  return (await web.callApi('GET /payment-links', { token })).body.paymentLinks
}

async function fill(page: Page, title: string): Promise<void> {
  await page.locator('#link-amount').fill('10')
  await page.locator('#link-title').fill(title)
  await page.locator('dialog button').last().click()
}

const focusedLabel = (page: Page) => page.locator(':focus').evaluate((element: any) => element.textContent as string)

const TITLE = `<img src=x onerror=alert(1)> & "Ședințe" WWWWWWWWWWWW-WWWWWWWWWWWW-WWWWWWWWWWWW`

for (const look of [{}, { locale: 'ro-RO', width: 360, colorScheme: 'dark' }] as const) {
  const isRomanian = 'locale' in look
  test(`a new link is shown with its whole address and a QR code of it, without a reload (${isRomanian ? 'Romanian, phone, dark' : 'English'})`, async () => {
    const { page, context, token, assertClean } = await openLinks(`qr-${isRomanian}@gmail.com`, look)
    await page.locator('#no-links').waitFor()
    await assertAccessible(page, 'no payment links')
    await page.locator('#no-links ~ * button, section button').first().click()
    let loads = 0
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().endsWith('/payment-links')) loads += 1
    })
    await fill(page, TITLE)
    const dialog = page.getByRole('dialog')
    assert.equal(await dialog.getByRole('link', { name: /name|nume/ }).count(), 0, 'the payer sees one')
    const code = dialog.getByRole('img')
    await code.waitFor()
    const [{ url }] = await linksOf(token)
    assert.equal(await dialog.locator('code').textContent(), url)
    assert.equal(
      await page.evaluate(
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog'))",
      ),
      0,
    )
    await assertAccessible(page, 'the dialog of a new link')
    assert.equal(await dialog.getByRole('button', { name: /^(Share…|Trimite…)$/ }).count(), 0, 'no navigator.share')

    assert.equal(await focusedLabel(page), isRomanian ? 'Copiază linkul' : 'Copy link')
    await page.keyboard.press('Enter')
    await dialog.getByText(isRomanian ? 'Copiat' : 'Copied', { exact: true }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), url)

    const saved: string[] = []
    for (const format of ['PNG', 'SVG']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: new RegExp(`${format}$`) }).click(),
      ])
      assert.match(
        download.suggestedFilename(),
        new RegExp(`^qr-img-src-x-onerror-alert-1-sedinte-[w-]+\\.${format.toLowerCase()}$`),
      )
      saved.push((await readFile(await download.path())).toString('base64'))
    }
    const [png = '', svg = ''] = saved
    assert.doesNotMatch(Buffer.from(svg, 'base64').toString(), /onerror|<script|http:\/\/localhost/)
    // Drawn on another page, as a program that reads the files does.
    const reader = await context.newPage()
    const [type, file] = isRomanian ? ['image/svg+xml', svg] : ['image/png', png]
    const pixels = await reader.evaluate<string>(`(async () => {
      const image = new Image(200, 200)
      image.src = 'data:${type};base64,${file}'
      await image.decode()
      const context = new OffscreenCanvas(200, 200).getContext('2d')
      context.drawImage(image, 0, 0, 200, 200)
      return new Uint8Array(context.getImageData(0, 0, 200, 200).data.buffer).toBase64()
    })()`)
    assert.equal(decodeQR({ width: 200, height: 200, data: Buffer.from(pixels, 'base64') }), url, type)

    const [payer] = await Promise.all([
      context.waitForEvent('page'),
      dialog.getByRole('link', { name: isRomanian ? /^Vezi ca plătitor/ : /^Open as payer/ }).click(),
    ])
    assert.equal(payer.url(), url)
    assert.equal(await payer.evaluate('opener'), null)
    await payer.close()
    await page.keyboard.press('Escape')
    assert.equal(await focusedLabel(page), isRomanian ? 'Link de plată nou' : 'New payment link')
    assert.match(await page.locator('tbody tr').first().innerText(), /^<img src=x onerror=alert\(1\)> & "Ședințe"/)
    assert.equal(loads, 0)
    for (const title of [TITLE, `a${'\u0e49'.repeat(99)}`]) {
      web.execute('update payment_links set title = ?1, reference = ?1', title)
      await page.reload()
      await page.locator('tbody tr').waitFor()
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, title)
    }
    await reader.close()
    await assertClean()
  })
}

test('Share hands the address to the system; a cancelled share says nothing, a failed one says what to do', async () => {
  const { page, token, assertClean } = await openLinks('share@gmail.com', { width: 360 }, '', false)
  await web.callApi('POST /payment-links', { token, body: { title: 'Lunch', amount: 100 } })
  await page.addInitScript(`
    window.shared = []
    navigator.share = async (data) => {
      shared.push(data)
      if (window.refusal) throw new DOMException('', window.refusal)
    }`)
  await page.reload()
  const opener = page.getByRole('button', { name: 'Share: Lunch' })
  await opener.press('Enter')
  const share = page.getByRole('dialog').getByRole('button', { name: 'Share…' })
  await assertAccessible(page, 'the dialog of a link, with a share button')
  const [{ url }] = await linksOf(token)
  const failed = page.getByRole('alert').getByText('could not share the address')
  await share.click()
  await page.evaluate("window.refusal = 'AbortError'")
  await share.click()
  const lunch = { title: 'Lunch', url }
  assert.deepEqual(await page.evaluate('shared'), [lunch, lunch])
  assert.equal(await failed.count(), 0)
  const done = page.getByRole('button', { name: 'Done' })
  // Wherever the dialog is scrolled to.
  const topOfDone = () => done.evaluate((button: any) => button.offsetTop as number)
  const top = await topOfDone()
  await page.evaluate("window.refusal = 'NotAllowedError'")
  await share.click()
  await failed.waitFor()
  assert.equal(await topOfDone(), top, 'the message moves nothing')
  await page.getByRole('dialog').getByRole('link', { name: 'Add your name' }).waitFor()
  await done.click()
  assert.equal(await page.locator('button:focus').getAttribute('aria-label'), 'Share: Lunch')
  await assertClean()
})

test('the address #new opens the form once and leaves the history; a link made under a filter is on top of the whole list', async () => {
  const { page, token, assertClean } = await openLinks('new@gmail.com', {}, '#new')
  await page.getByRole('dialog', { name: 'New payment link' }).waitFor()
  assert.equal(new URL(page.url()).hash, '')
  await page.keyboard.press('Escape')
  assert.equal(await focusedLabel(page), 'New payment link')
  await page.reload()
  await page.locator('#no-links').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)

  await web.callApi('POST /payment-links', { token, body: { title: 'Lunch', amount: 100 } })
  await page.reload()
  await page.getByRole('searchbox').fill('lunch')
  await page.getByRole('status').getByText('1 found').waitFor()
  await page.getByRole('button', { name: 'New payment link' }).click()
  await fill(page, 'Dinner')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('status').getByText('2 payment links').waitFor()
  assert.deepEqual(await page.locator('tbody th a').allInnerTexts(), ['Dinner', 'Lunch'])
  assert.equal(await page.getByRole('searchbox').inputValue(), '')

  // A deployment has replaced the bundle since the page was opened.
  await page.route('**/assets/qr.*.js', (route) => route.abort())
  await page.reload()
  await page.getByRole('button', { name: 'Share: Dinner' }).click()
  await page.getByText('The QR code could not be loaded.').waitFor()
  await page.getByRole('button', { name: 'Copy link' }).waitFor()
  await assertClean().catch((error: Error) => assert.match(error.message, /ERR_FAILED/))
})
