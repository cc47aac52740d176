/**
 * For `node --import`: the first module of the stand-in for Google takes longer to load than the service waits for an
 * answer of Google, as on a cold disk. Nothing else runs meanwhile. Prints the module's URL.
 */
import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'

const LOAD_MS = 3500

let isLoaded = false
registerHooks({
  load(url, context, nextLoad) {
    if (url.includes('/oidc-provider/') && !isLoaded) {
      isLoaded = true
      writeSync(1, `${url}\n`)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOAD_MS)
    }
    return nextLoad(url, context)
  },
})
