/** A Romanian count: from 20 on, "de" follows the number: "19 chei", "20 de chei", "101 chei". */
export function countOf(count: number, things: string): string {
  const rest = count % 100
  return count >= 20 && (rest === 0 || rest >= 20) ? `${count} de ${things}` : `${count} ${things}`
}
