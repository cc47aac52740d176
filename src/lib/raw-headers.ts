/** Header fields as they arrived: of two, Node keeps one, and a proxy in front may have believed the other. */

/**
 * How many fields of this name a request has.
 * @param rawHeaders names and values in turn, as `IncomingMessage.rawHeaders` holds them
 * @param name in lower case
 */
export function countFields(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length
}
