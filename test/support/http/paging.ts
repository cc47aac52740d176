/** Values of a paged list's query fields, as they stand in the address. */

const ID = '01a1fc72-0a11-7c41-9a55-3f1f6f0b6f11'
/** Before everything, in the order of newest-first lists. */
export const FARTHEST_CURSOR = `${'9'.repeat(15)}_${ID}`
export const validCursors = [`0_${ID}`, `1785000000000_${ID}`, FARTHEST_CURSOR]

const malformed = [
  '1_x',
  `1_${ID.slice(0, -1)}`,
  `1_${ID}0`,
  '',
  'x',
  '_',
  '!',
  'null',
  '1_',
  `_${ID}`,
  `-1_${ID}`,
  `1.5_${ID}`,
  `1e3_${ID}`,
  `${'9'.repeat(16)}_${ID}`,
  `1_${'z'.repeat(36)}`,
  'a'.repeat(201),
  "1_'",
  `1_${ID}\n`,
  '1_\0',
  `1_${ID}\0`,
  '\0',
  `١_${ID}`,
  `1_${ID}\u00e9`,
]
export const invalidCursors = [...malformed.map(encodeURIComponent), `1_${ID}&cursor=1_${ID}`]

export const validLimits = ['1', '9', '10', '99', '100']
export const invalidLimits = ['0', '101', '-1', '1.5', '1e1', '01', '%201', '', 'all', '1000', '0x1', '1&limit=2']
