import { columnsOf, visible, writeLine } from '../src/lib/text/terminal.ts'

export function formatValue(value: string | number | null | undefined): string {
  return value === null || value === undefined ? '–' : String(value)
}

/** UTC, to the second. */
export function formatTime(atMs: number | null): string {
  return atMs === null ? '–' : `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')}Z`
}

export const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

export function isoTime(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}

export function writeTable(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  const cells = rows.map((row) => row.map(visible))
  const widths = columns.map((name, at) => Math.max(name.length, ...cells.map((row) => columnsOf(row[at] ?? ''))))
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => padded(cell, widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  writeLine({ style: 'dim', text: line(columns) })
  for (const row of cells) writeLine(line(row))
}

export function writeFields(fields: Readonly<Record<string, string>>): void {
  const width = Math.max(...Object.keys(fields).map((name) => name.length))
  for (const [name, value] of Object.entries(fields))
    writeLine({ style: 'dim', text: name.padEnd(width) }, `  ${value}`)
}

const padded = (text: string, columns: number) => text + ' '.repeat(Math.max(0, columns - columnsOf(text)))
