/** Keyset cursor: the next page of a list by time and id starts after this row. */
export type Position = Readonly<{ atMs: number; id: string }>
