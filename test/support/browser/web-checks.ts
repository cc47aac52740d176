/** Checks that hold for every page of the web app in any state. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { violationsOf } from './axe.ts'

const DRAWN = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))'

// A navigation to another fragment makes the page reload itself; the document that was queried is then gone.
function isElsewhere(error: Error): false {
  if (!error.message.includes('Execution context was destroyed')) throw error
  return false
}

/**
 * Waits until the page has no request in flight and is drawn. Call it before the navigation, and the result after it.
 */
export function settling(page: Page): () => Promise<void> {
  const pending = new Set<unknown>()
  page.on('request', (request) => pending.add(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  return async () => {
    for (let calm = 0; calm < 3;) {
      const isDrawn = await page.evaluate(DRAWN).then(() => true, isElsewhere)
      calm = isDrawn && pending.size === 0 ? calm + 1 : 0
    }
  }
}

// `preload` would insert styles of other origins, which the Content-Security-Policy refuses. The only frame is the
// stand-in for Google's button.
const AXE = { preload: false, iframes: false, rules: { 'target-size': { enabled: true } } }

// A string, because it runs in the browser.
const brokenWords = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const topOf = (text, index) => {
    const range = document.createRange()
    range.setStart(text, index)
    range.setEnd(text, index + 1)
    return range.getClientRects()[0]?.top
  }
  const broken = []
  for (let text; (text = texts.nextNode()); ) {
    if (text.parentElement.closest('bdi, pre, code, noscript, [class*=visually-hidden]')) continue
    for (const { 0: word, index } of text.data.matchAll(/(?<![\\p{L}\\p{N}-])\\p{L}{1,12}-\\p{L}{1,12}(?![\\p{L}\\p{N}-])/gu)) {
      if (topOf(text, index) !== topOf(text, index + word.length - 1)) broken.push(word)
    }
  }
  return broken
})()`

const SQUEEZED = `[...document.querySelectorAll('main :is(a, button, strong, bdi, time, p, h1, h2, h3)')]
  .filter((one) => one.innerText.trim() !== '' && one.checkVisibility() && one.getBoundingClientRect().width < 1)
  .map((one) => one.innerText)`

const PROTRUDING = `[...document.querySelectorAll('main .panel')].flatMap((panel) => {
  const { right } = panel.getBoundingClientRect()
  return [...panel.querySelectorAll('a, button, input, select')]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > right)
    .map((one) => one.innerText)
})`

/**
 * Violations that axe finds, horizontal overflow, texts whose box has no width, and controls beyond their panel; `what`
 * labels the page in the messages.
 */
export async function problemsOf(page: Page, what: string): Promise<string[]> {
  const problems = (await violationsOf(page, AXE)).flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${what}: ${id}: ${html} ${failureSummary}`),
  )
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  if (overflow > 0) problems.push(`${what} is ${overflow} pixels wider than the screen`)
  for (const text of await page.evaluate<string[]>(SQUEEZED)) problems.push(`${what} has no room for ${text}`)
  for (const text of await page.evaluate<string[]>(PROTRUDING)) problems.push(`${what}: ${text} is beyond its panel`)
  return problems
}

/** Words that a line ends in, at their hyphen. */
export const brokenWordsIn = (page: Page): Promise<string[]> => page.evaluate(brokenWords)

export async function assertAccessible(page: Page, what: string): Promise<void> {
  assert.deepEqual(await problemsOf(page, what), [])
}

const FOCUSABLE =
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, iframe, [tabindex="0"]'

// A string, because it runs in the browser.
const rememberStops = `
  window.tabStops = [...document.querySelectorAll('${FOCUSABLE}')].filter((element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.tabIndex >= 0
      && !(element.type === 'radio' && !element.checked))
  document.body.tabIndex = -1
  document.body.focus()
  document.body.removeAttribute('tabindex')
  tabStops.map((element) => element.outerHTML.slice(0, 120))`

const lookAtFocus = `(() => {
  const element = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const { top, bottom, left, right } = element.getBoundingClientRect()
  return {
    index: tabStops.indexOf(element),
    isSeen: (element.matches('iframe') || (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1))
      && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
  }
})()`

/** Asserts that Tab reaches every control in document order and that the focus is visible on each. */
export async function assertReachedByKeyboard(page: Page, what: string): Promise<void> {
  const stops = await page.evaluate<string[]>(rememberStops)
  assert.ok(stops.length > 0, `${what} has no control`)
  const reached: number[] = []
  // A frame takes several steps of its own.
  for (let steps = 0; steps < stops.length + 20 && reached.at(-1) !== stops.length - 1; steps++) {
    await page.keyboard.press('Tab')
    const { index, isSeen } = await page.evaluate<{ index: number; isSeen: boolean }>(lookAtFocus)
    if (index < 0 || index === reached.at(-1)) continue
    assert.ok(isSeen, `${what}: the focus is not visible on ${stops[index]}`)
    reached.push(index)
  }
  assert.deepEqual(
    reached.map((index) => stops[index]),
    stops,
    what,
  )
}
