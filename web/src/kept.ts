/** What the browser keeps for these pages. Where it keeps nothing (storage switched off), the page's memory does. */

const inMemory = new Map<string, string>()

const PROBE = 'probe'

/** Whether this browser keeps anything at all: what is in the memory only is gone with the next page. */
export function isKeeping(): boolean {
  try {
    localStorage.setItem(PROBE, PROBE)
    localStorage.removeItem(PROBE)
    return true
  } catch {
    return false
  }
}

/** Values by name, until they are deleted. */
export const kept = {
  read(name: string): string | null {
    try {
      return localStorage.getItem(name)
    } catch {
      return inMemory.get(name) ?? null
    }
  },
  write(name: string, value: string): void {
    inMemory.set(name, value)
    try {
      localStorage.setItem(name, value)
    } catch {
      // The memory has it.
    }
  },
  delete(name: string): void {
    inMemory.delete(name)
    try {
      localStorage.removeItem(name)
    } catch {
      // Nothing was kept.
    }
  },
}
