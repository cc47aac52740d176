/** Debian's Chromium, driven for real. Only test/system may use it: the browser is a Debian package. */
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

/** Starts a browser that talks to nobody but the pages it is shown. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      // Chromium refuses its sandbox as root, which is what CI runs as.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
