// Control characters, lone surrogates, line separators and bidirectional overrides.
const UNSHOWABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
// Zalgo: marks that paint over other text, or that make one character as wide as many. UTS #39, section 5.4, allows four,
// the most that a script stacks in practice: Hebrew has a dagesh, a shin dot, a vowel and a cantillation mark.
const TOO_MANY_MARKS = /[\p{Mn}\p{Me}]{5}/u
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** In characters (code points), as a JSON schema's `maxLength` counts. */
export const MAX_DISPLAY_LENGTH = 100

/** Whether the text is safe to show beside others, and not invisible. */
export function isDisplayText(text: string): boolean {
  return !UNSHOWABLE.test(text) && !TOO_MANY_MARKS.test(text) && VISIBLE.test(text)
}

const BLANK = /^\p{Zs}$/u

/** Removes spaces of any script from both ends. Tabs and line breaks stay, and are refused later. */
export function trimBlanks(text: string): string {
  let [start, end] = [0, text.length]
  // A regular expression for the end would take quadratic time on many inner blanks.
  while (start < end && BLANK.test(text.charAt(start))) start += 1
  while (end > start && BLANK.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}
