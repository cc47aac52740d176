/** Random choices that a seed reproduces on every machine. */

/** Numbers from 0 to below 1 (Mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

export function pick<T>(random: () => number, choices: readonly T[]): T | undefined {
  return choices[Math.floor(random() * choices.length)]
}
