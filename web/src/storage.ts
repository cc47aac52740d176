/** localStorage, with a fallback to memory if the browser blocks storage. */

const inMemory = new Map<string, string>()

const PROBE = 'probe'

// Deleted when the person signs out.
export const OWN_EVENTS = 'own-events'
export const RESUMED_DIALOG = 'resumed-dialog'
export const ASKED_BY_APP = 'asked-by-app'

/** Whether localStorage works. The fallback does not survive navigation to another page. */
export function isStorageAvailable(): boolean {
  try {
    localStorage.setItem(PROBE, PROBE)
    localStorage.removeItem(PROBE)
    return true
  } catch {
    return false
  }
}

export const storage = {
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
      // Stored in memory.
    }
  },
  delete(name: string): void {
    inMemory.delete(name)
    try {
      localStorage.removeItem(name)
    } catch {
      // Storage is blocked.
    }
  },
}
