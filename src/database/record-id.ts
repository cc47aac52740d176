/** Whether a text may be the id of a row. PostgreSQL fails on NUL, and cannot tell lone surrogates apart. */
export const isRecordId = (text: string): boolean => /^[\w-]{1,64}$/.test(text)
