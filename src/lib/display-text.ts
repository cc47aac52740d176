/** Text that users write and other people read: what may be in it. */

// Control characters, lone surrogates, line separators, and what turns the direction of text around it.
const UNSHOWABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Whether it can be shown, and something of it is seen. */
export function isDisplayText(text: string): boolean {
  return !UNSHOWABLE.test(text) && VISIBLE.test(text)
}
