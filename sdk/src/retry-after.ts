/** `Retry-After` (RFC 9110, section 10.2.3), without asking the caller's clock, which may be wrong. */

/** The seconds to wait, or null where the answer does not say, or says it by a date and has no date of its own. */
export function retryAfterSeconds(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const seconds = (Date.parse(value) - Date.parse(headers.get('date') ?? '')) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}
