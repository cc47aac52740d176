/** Rejects PostgreSQL URLs that `pg` would interpret differently from how they read, or fail on later. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isLoopback } from '../lib/network.ts'

/** The values explained in docs/operations.md. `pg` treats any unknown value as TLS. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/** File parameters; true: the file must contain a certificate. */
const FILES = { sslrootcert: true, sslcert: true, sslkey: false } as const

/** @throws an error whose message completes "DATABASE_URL …" without quoting the URL */
export function checkPostgresUrl({ hostname, searchParams, hash, pathname, username }: URL): void {
  // Part of a password would otherwise be taken for something else, and be shown.
  if (hash !== '' || /[/@]/.test(pathname.slice(1)) || decodeURIComponent(username).includes(':'))
    throw new Error('must have the characters : / ? # [ ] @ % of its user and password percent-encoded')
  for (const name of searchParams.keys()) {
    // `pg` uses the last of repeated parameters, `URLSearchParams.get` the first: the check could pass on another
    // value.
    if (searchParams.getAll(name).length > 1) throw new Error('must give each parameter only once')
  }
  if (searchParams.has('uselibpqcompat')) {
    throw new Error('must not contain uselibpqcompat: sslmode=require would then accept any certificate')
  }
  const mode = searchParams.get('sslmode')
  if (mode && !SSL_MODES.includes(mode)) throw new Error(`must set sslmode to one of ${SSL_MODES.join(', ')}`)
  const host = searchParams.get('host') ?? hostname
  if (!mode && !host.startsWith('/') && !isLoopback(host)) {
    throw new Error(
      'must contain sslmode=verify-full (or sslmode=disable, in a network you trust) unless its host is loopback',
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
    throw new Error(`has a file in ${name} that cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause })
  }
  // `pg` would continue without the certificate and reject every server.
  if (isCertificate && !holdsCertificate(content)) throw new Error(`has a file in ${name} that contains no certificate`)
}

function holdsCertificate(content: Buffer): boolean {
  try {
    return content.includes('-----BEGIN') && new X509Certificate(content).raw.length > 0
  } catch {
    return false
  }
}
