/** Header fields as they arrived: of two, Node keeps the first and drops the other silently; a proxy in front may have believed that one. */

/**
 * How many fields of this name a request has. Node's `headersDistinct` throws at a field named `__proto__` where
 * CVE-2026-21710 is not fixed, as in Node 24.0.
 * @param rawHeaders names and values in turn, as `IncomingMessage.rawHeaders` holds them
 * @param name in lower case
 */
export function countFields(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((field, index) => index % 2 === 0 && field.toLowerCase() === name).length
}
