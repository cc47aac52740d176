/** Looks for secrets in what a service left behind, in every encoding that a log or a file might have put them into. */

/** How a secret may look, by encoding. */
export function spellings(secret: string): ReadonlyMap<string, string> {
  const bytes = Buffer.from(secret)
  return new Map([
    ['raw', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['JSON-escaped', JSON.stringify(secret).slice(1, -1)],
    ['JSON-escaped twice', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    // Without the last characters, which depend on what follows.
    ['base64', bytes.toString('base64').replace(/.{1,3}=*$/, '')],
    ['base64url', bytes.toString('base64url').replace(/.{1,3}$/, '')],
    ['hexadecimal', bytes.toString('hex')],
  ])
}

/** Which of the secrets, by name, are in the text, and how they are spelled there. */
export function secretsIn(text: string, secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].flatMap(([name, secret]) =>
    [...spellings(secret)].filter(([, spelling]) => text.includes(spelling)).map(([encoding]) => `${name}, ${encoding}`),
  )
}
