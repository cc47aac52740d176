/** `Retry-After` (RFC 9110, section 10.2.3), parsed without the local clock, which may be wrong. */

/** Returns null if the field is absent or not valid, or is a date in an answer without `Date`. */
export function retryAfterSeconds(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const seconds = (Date.parse(value) - Date.parse(headers.get('date') ?? '')) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}
