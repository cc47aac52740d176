/** Errors for the operator: what is wrong, what to do, and the exit code. */

export const EXIT_FAILED = 1
/** Wrong usage, or confirmation is impossible (sysexits.h, EX_USAGE). */
export const EXIT_USAGE = 64
/** Invalid settings or a database that must not be served (sysexits.h, EX_CONFIG): a restart would not help. */
export const EXIT_CONFIG = 78

/** Ends the command. The command line writes the lines without a stack trace. */
export class OperatorError extends Error {
  readonly exitCode: number
  readonly lines: readonly string[]

  /** @param options `lines`: default the message, as one line even if it contains line feeds */
  constructor(
    message: string,
    exitCode: number = EXIT_FAILED,
    options: ErrorOptions & Readonly<{ lines?: readonly string[] }> = {},
  ) {
    super(message, options)
    this.exitCode = exitCode
    this.lines = options.lines ?? [message]
  }
}
