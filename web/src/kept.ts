/** What the browser keeps for these pages. Where it keeps nothing (storage switched off), the page's memory does. */

const inMemory = new Map<string, string>()

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
