/** Values of a paged list's query fields, as they stand in the address. */

export const validCursors = ['0_x', '1_-', `${'9'.repeat(15)}_${'z'.repeat(40)}`]

const malformed = [
  '',
  'x',
  '_',
  '!',
  'null',
  '1_',
  '_x',
  '-1_x',
  '1.5_x',
  '1e3_x',
  `${'9'.repeat(16)}_x`,
  `1_${'z'.repeat(41)}`,
  'a'.repeat(201),
  "1_'",
  '1_x\n',
  '1_\0',
  '1_x\0',
  '\0',
  '١_x',
  '1_x_\u00e9',
]
export const invalidCursors = [...malformed.map(encodeURIComponent), '1_x&cursor=1_y']

export const validLimits = ['1', '9', '10', '99', '100']
export const invalidLimits = ['0', '101', '-1', '1.5', '1e1', '01', '%201', '', 'all', '1000', '0x1', '1&limit=2']
