/**
 * Debian's Chromium without its window, which halves the time of a test. Only test/system may use it: the browser is a
 * Debian package.
 */
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

/** Starts a browser without background traffic of its own. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: [
      // Chromium refuses to run its sandbox as root, and CI runs as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
