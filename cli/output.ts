/** What commands write on standard output: tables for people, JSON for programs. */
import { styleText } from 'node:util'

// Names are what users chose: nothing in them may turn, hide or repaint what stands around it.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** A value as it may be shown on a terminal. */
export function shown(value: string | number | null | undefined): string {
  return value === null || value === undefined ? '–' : String(value).replace(UNPRINTABLE, '·')
}

/** A time, to the second, in UTC; null: there was none. */
export function shownTime(atMs: number | null): string {
  return atMs === null ? '–' : `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')}Z`
}

/** A time as programs read it. */
export function isoTime(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}

/** Writes a table; columns are as wide as they must be. */
export function writeTable(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = columns.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) => cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ').trimEnd()
  console.log(styleText('dim', line(columns)))
  for (const row of rows) console.log(line(row))
}

/** Writes names and values, a line each. */
export function writeFields(fields: Readonly<Record<string, string>>): void {
  const width = Math.max(...Object.keys(fields).map((name) => name.length))
  for (const [name, value] of Object.entries(fields)) console.log(`${styleText('dim', name.padEnd(width))}  ${value}`)
}

/** Writes one JSON document. */
export function writeJson(document: unknown): void {
  console.log(JSON.stringify(document, null, 2))
}
