/** The one way to end a process: lines for the operator, which say what is wrong and what to do, and an exit code. */

/** The work could not be done. */
export const EXIT_FAILED = 1
/** The command line makes no sense, or nobody is there to be asked (sysexits.h, EX_USAGE). */
export const EXIT_USAGE = 64
/** The settings do not make a service that may start (sysexits.h, EX_CONFIG). */
export const EXIT_CONFIG = 78

/** Ends the command that throws it. The command line writes its lines, without a stack. */
export class OperatorError extends Error {
  readonly exitCode: number
  readonly lines: readonly string[]

  /** @param options `lines`: default the message, as one line whatever it holds */
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
