/** Header fields as they arrived: of two, Node keeps one, and a proxy in front may have believed the other. */

/**
 * How many fields of this name a request has.
 * @param rawHeaders names and values in turn, as `IncomingMessage.rawHeaders` holds them
 * @param name in lower case
 */
export function countFields(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = rawHeaders[index]
    // Lengths first: this is asked of every request.
    if (field?.length === name.length && field.toLowerCase() === name) count += 1
  }
  return count
}
