/** Looks for secrets in what a service left behind, in every encoding that a log or a file might have put them into. */

/** How a secret may look, by encoding. */
export function spellings(secret: string): ReadonlyMap<string, string> {
  const bytes = Buffer.from(secret)
  return new Map([
    ['raw', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['JSON-escaped', JSON.stringify(secret).slice(1, -1)],
    ['JSON-escaped twice', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    // Base64 looks different by how many bytes stand before the secret (`user:password`).
    ...[0, 1, 2].flatMap((before) => {
      const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
      // Without the characters at both ends, which depend on what stands around.
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

/** Which of the secrets, by name, are in the text, and how they are spelled there. */
export function secretsIn(text: string, secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].flatMap(([name, secret]) =>
    [...spellings(secret)]
      .filter(([, spelling]) => text.includes(spelling))
      .map(([encoding]) => `${name}, ${encoding}`),
  )
}
