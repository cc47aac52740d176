// Control characters, lone surrogates, line separators and bidirectional overrides.
const UNSHOWABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** In characters (code points), as a JSON schema's `maxLength` counts. */
export const MAX_DISPLAY_LENGTH = 100

/** Whether the text is safe to show and not invisible. */
export function isDisplayText(text: string): boolean {
  return !UNSHOWABLE.test(text) && VISIBLE.test(text)
}
