/** Characters that control a terminal or are invisible in it. */

/** A line feed counts too. */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** Clears the screen, sets colours, renames the window, reverses the text direction, and starts a line of its own. */
export const HOSTILE =
  '\u001B[2J\u001B]0;t\u0007\u009B31m\u202E\u2066\u200B\u3164\u{E0041}\u2028\u007F\r\nForged: all is well\u001B[8m'
