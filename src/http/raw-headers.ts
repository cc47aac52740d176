/**
 * Counts the header fields of one name. Of two, `headers` silently keeps the first, but a proxy in front may have used
 * the second. `headersDistinct` is not an option: it throws on a field named `__proto__` in Node versions without the
 * fix for CVE-2026-21710, such as 24.0.
 * @param rawHeaders alternating names and values (`IncomingMessage.rawHeaders`)
 * @param name in lower case
 */
export function countFields(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((field, index) => index % 2 === 0 && field.toLowerCase() === name).length
}
