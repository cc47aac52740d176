/**
 * An address with its domain in the ASCII form. Browsers disagree about the form that a field for addresses has, so
 * compare in this one.
 */
export function asciiAddress(email: string): string {
  const at = email.lastIndexOf('@') + 1
  const domain = email.slice(at)
  return `${email.slice(0, at)}${URL.parse(`http://${domain}`)?.hostname ?? domain}`.toLowerCase()
}
