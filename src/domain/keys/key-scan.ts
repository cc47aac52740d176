/** Finds API key secrets in any text, offline, by prefix and checksum. */
import { isKeySecret } from './key-secret.ts'

const PREFIX = 'pls_'
const SECRET_LENGTH = 53

/** Where a secret begins; both count from 1. Never the secret itself. */
export type Finding = Readonly<{ line: number; column: number }>

export type KeyScanner = Readonly<{
  /** @returns the secrets that end in this piece */
  scan(piece: string): Finding[]
}>

/** NUL characters are ignored, so that UTF-16 read as bytes is scanned too. */
export function createKeyScanner(): KeyScanner {
  // The tail that the next piece may complete to a secret, and where it begins in the text.
  let rest = ''
  let line = 1
  let column = 1

  function advance(passed: string): void {
    const lastBreak = passed.lastIndexOf('\n')
    column = lastBreak === -1 ? column + passed.length : passed.length - lastBreak
    for (let at = passed.indexOf('\n'); at !== -1; at = passed.indexOf('\n', at + 1)) line += 1
  }

  return {
    scan(piece) {
      const text = rest + piece.replaceAll('\0', '')
      const findings: Finding[] = []
      let passed = 0
      const advanceTo = (index: number) => {
        advance(text.slice(passed, index))
        passed = index
      }
      for (let at = text.indexOf(PREFIX); at !== -1; at = text.indexOf(PREFIX, at + 1)) {
        if (!isKeySecret(text.slice(at, at + SECRET_LENGTH))) continue
        advanceTo(at)
        findings.push({ line, column })
      }
      const kept = Math.max(passed + (findings.length > 0 ? SECRET_LENGTH : 0), text.length - SECRET_LENGTH + 1)
      advanceTo(Math.min(kept, text.length))
      rest = text.slice(passed)
      return findings
    },
  }
}
