/** Characters that do something to a terminal, or are not seen there. */

/** Any of them; a line feed is one too. */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** Clears the screen, paints, renames the window, turns the line around, and writes a line of its own. */
export const HOSTILE =
  '\u001B[2J\u001B]0;t\u0007\u009B31m\u202E\u2066\u200B\u3164\u{E0041}\u2028\u007F\r\nForged: all is well\u001B[8m'
