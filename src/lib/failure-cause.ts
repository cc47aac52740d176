/** Why a connection to another server failed, in words that say what to look at. Contains no address and no secret. */

const causes: readonly (readonly [RegExp, string])[] = [
  [
    // The last five are c-ares', of a name that is resolved without the system's resolver.
    /^(ENOTFOUND|EAI_\w+|EDNS|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|ECANCELLED)$/,
    'DNS: the server’s name was not resolved. Check the name and this machine’s resolver',
  ],
  [/^ECONNREFUSED$/, 'refused: nothing accepts connections there. Check host and port, and that the server runs'],
  [
    /^(ENETUNREACH|EHOSTUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/,
    'unreachable: there is no way to the server. Check the network, routes and firewall of this machine',
  ],
  [
    /^(ETIMEDOUT|TimeoutError|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/,
    'timeout: the server did not answer in time. Check firewalls on the way, and the server’s load',
  ],
  [
    /^(ETLS|EPROTO|CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|\w+_SIGNED_CERT(_IN_CHAIN)?|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/,
    'TLS: no secure connection. Check the server’s certificate, its host name, the CAs that this process trusts, and that the port speaks TLS',
  ],
  [
    /^(EMFILE|ENFILE)$/,
    'file descriptors: this process has none left. Raise LimitNOFILE, and find who keeps connections open',
  ],
  [/^(EENVELOPE|EMESSAGE|PermanentMailError)$/, 'refused by the mail server: its log has the reason'],
  [/^EAUTH$/, 'login: the server refused it. Check user and password'],
  [
    /^(ECONNRESET|EPIPE|ECONNABORTED|ECONNECTION|UND_ERR_SOCKET|HTTPParserError)$/,
    'closed: the server ended the connection or does not speak this protocol. Check the port, and the server’s log',
  ],
]

type Failure = Readonly<{ name?: unknown; code?: unknown; originalCode?: unknown; cause?: unknown; errors?: unknown }>

/** Looks through `cause` (fetch), `errors` (several addresses of one name) and `originalCode` (nodemailer). */
export function failureCause(error: unknown): string | undefined {
  let next: unknown = error
  for (let depth = 0; depth < 5 && next instanceof Error; depth += 1) {
    const { name, code, originalCode, cause, errors }: Failure = next
    for (const mark of [originalCode, code, name]) {
      const found = causes.find(([pattern]) => typeof mark === 'string' && pattern.test(mark))
      if (found !== undefined) return `${found[1]}.`
    }
    next = cause ?? (Array.isArray(errors) ? errors[0] : undefined)
  }
  return undefined
}

/** For an operator's terminal: the cause in words; otherwise the first line of the error's own message. */
export function describeConnectionFailure(error: unknown): string {
  const { message, code = '' } = error as NodeJS.ErrnoException
  return failureCause(error) ?? `${message.split('\n')[0] || code}.`
}
