/** Syncs commits. */
export type CommitLog = Readonly<{
  /** Resolves when everything committed before this call is on disk. */
  committed(): Promise<void>
  /** @throws SQLite's "full" while the disk has no space */
  refuseWhenFull(): void
  /** Call it when a write has found the disk full. */
  noteFull(): void
  /** Notes that the request has read what is committed so far. */
  noteRead(): void
  /** @throws {DatabaseLostError} when a sync has failed */
  refuseAfterFailure(): void
  close(): Promise<void>
}>
