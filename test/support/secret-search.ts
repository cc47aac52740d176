/** Finds secrets in what a service left behind, in every encoding that a log or a file might use. */

/** The encodings of a secret, by name. */
export function spellings(secret: string): ReadonlyMap<string, string> {
  const bytes = Buffer.from(secret)
  return new Map([
    ['raw', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['JSON-escaped', JSON.stringify(secret).slice(1, -1)],
    ['JSON-escaped twice', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    // Base64 depends on the number of bytes before the secret (`user:password`).
    ...[0, 1, 2].flatMap((before) => {
      const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
      // The characters at both ends depend on the neighbouring bytes.
      const inner = text.slice(before === 0 ? 0 : 4).replace(/.{1,3}=*$/, '')
      const name = before === 0 ? '' : ` behind ${before} more`
      return [
        [`base64${name}`, inner],
        [`base64url${name}`, inner.replaceAll('+', '-').replaceAll('/', '_')],
      ] as const
    }),
    ['hexadecimal', bytes.toString('hex')],
  ])
}

/** The names of the secrets found in the text, with their encoding. */
export function secretsIn(text: string, secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].flatMap(([name, secret]) =>
    [...spellings(secret)]
      .filter(([, spelling]) => text.includes(spelling))
      .map(([encoding]) => `${name}, ${encoding}`),
  )
}
