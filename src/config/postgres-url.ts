/** Checks of a PostgreSQL URL: what `pg` would take in another sense than it is written in, or fail at later on. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isLoopback } from '../lib/network.ts'

/** `sslmode` as docs/operations.md explains it; any other word means TLS to pg, whatever it was meant to mean. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/** The files a URL can name, and whether a certificate is in them. */
const FILES = { sslrootcert: true, sslcert: true, sslkey: false } as const

/** @throws an error whose message completes "DATABASE_URL …", without anything that the URL says */
export function checkPostgresUrl({ hostname, searchParams }: URL): void {
  for (const name of searchParams.keys()) {
    // pg takes the last, others the first: what is looked at here need not be what is done.
    if (searchParams.getAll(name).length > 1) throw new Error('must say each of its parameters once')
  }
  if (searchParams.has('uselibpqcompat')) {
    throw new Error('must not say uselibpqcompat: sslmode=require would then believe any server')
  }
  const mode = searchParams.get('sslmode')
  if (mode && !SSL_MODES.includes(mode)) throw new Error(`must say one of these as sslmode: ${SSL_MODES.join(', ')}`)
  const host = searchParams.get('host') ?? hostname
  if (!mode && !host.startsWith('/') && !isLoopback(host)) {
    throw new Error(
      'must say sslmode=verify-full (or sslmode=disable, in a network you trust) unless its host is loopback',
    )
  }
  for (const [name, isCertificate] of Object.entries(FILES)) {
    const path = searchParams.get(name)
    if (path !== null) checkFile(name, path, isCertificate)
  }
}

function checkFile(name: string, path: string, isCertificate: boolean): void {
  let content: Buffer
  try {
    content = readFileSync(path)
  } catch (cause) {
    throw new Error(`names a file by ${name} that cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause })
  }
  // pg would go on without it, and believe nobody.
  if (isCertificate && !holdsCertificate(content)) throw new Error(`names a file by ${name} that holds no certificate`)
}

function holdsCertificate(content: Buffer): boolean {
  try {
    return content.includes('-----BEGIN') && new X509Certificate(content).raw.length > 0
  } catch {
    return false
  }
}
