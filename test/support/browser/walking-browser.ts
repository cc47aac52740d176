/** A browser without a screen: it stores cookies by RFC 6265 and follows redirects one by one. */

/** Where the browser ended up: the last answer, and its redirect target. */
export type Stop = Readonly<{ url: URL; status: number; headers: Headers; text: string; next: URL | undefined }>

type Cookie = Readonly<{ name: string; value: string; path: string; endsAtMs: number }>

/** Everything it visits is on 127.0.0.1, whose ports share cookies. */
export type WalkingBrowser = Readonly<{
  /** Opens an address and follows redirects while they stay on 127.0.0.1 and `stopBefore` is false for the next one. */
  go(to: URL | string, stopBefore?: (next: URL) => boolean): Promise<Stop>
  cookiesFor(url: URL | string): string[]
  /** A browser with a copy of the current cookies, as after a theft. */
  copy(): WalkingBrowser
}>

export const NAVIGATION = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-dest': 'document' }

/** @param headers sent with every request; without any, the caller looks like a program */
export function walkingBrowser(headers: Record<string, string> = {}, cookies: Cookie[] = []): WalkingBrowser {
  const cookiesFor = (url: URL | string) => {
    const { pathname } = new URL(url)
    return cookies
      .filter(({ path, endsAtMs }) => endsAtMs > Date.now() && isBelow(pathname, path))
      .map(({ name, value }) => `${name}=${value}`)
  }

  async function visit(url: URL): Promise<Stop> {
    const held = cookiesFor(url)
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { ...headers, ...(held.length > 0 ? { cookie: held.join('; ') } : {}) },
    })
    for (const line of response.headers.getSetCookie()) {
      const cookie = parse(line, url)
      const index = cookies.findIndex(({ name, path }) => name === cookie.name && path === cookie.path)
      if (index >= 0) cookies.splice(index, 1)
      cookies.push(cookie)
    }
    const location = response.headers.get('location')
    const next = location === null ? undefined : new URL(location, url)
    return { url, status: response.status, headers: response.headers, text: await response.text(), next }
  }

  return {
    cookiesFor,
    copy: () => walkingBrowser(headers, [...cookies]),
    async go(to, stopBefore = () => false) {
      for (let url = new URL(to), hops = 0; hops < 10; hops += 1) {
        const stop = await visit(url)
        if (stop.next === undefined || stop.next.hostname !== '127.0.0.1' || stopBefore(stop.next)) return stop
        url = stop.next
      }
      throw new Error(`endless redirects from ${String(to)}`)
    },
  }
}

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

function parse(line: string, url: URL): Cookie {
  const [pair = '', ...attributes] = line.split(/; */)
  const byName = new Map(
    attributes.map((text) => {
      const [name = '', value = ''] = text.split(/=(.*)/s)
      return [name.toLowerCase(), value]
    }),
  )
  const [name = '', value = ''] = pair.split(/=(.*)/s)
  const maxAge = byName.get('max-age')
  const expires = byName.get('expires')
  const atMs = expires === undefined ? Infinity : Date.parse(expires)
  const endsAtMs = maxAge === undefined ? atMs : Date.now() + Number(maxAge) * 1000
  const folder = url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf('/')))
  return { name, value, path: byName.get('path') || folder, endsAtMs }
}
