const MAX_MINOR_UNITS = 99_999_999

/**
 * Parses an amount into minor units: "1050", "1050.5", "1,234.50", "1.234,50", "1 234,50". A misread amount is a
 * wrong price, so a text with two readings is refused:
 * - After a separator, one or two digits are decimals in every language. Groups have three digits, so nothing else fits.
 * - After a lone separator, three digits are a group only if the language groups with it: "1.234" is 1234 in Romanian;
 *   in English, where it could be a slip for 1.23, it is no amount.
 * - With both separators the last one is the decimal one. Spaces only group.
 * @param maximum in minor units
 * @returns undefined if the text is not an amount from 0.01 to the maximum
 */
export function parseAmount(text: string, locale: string, maximum = MAX_MINOR_UNITS): number | undefined {
  // JavaScript's \s includes the no-break spaces that Intl and spreadsheets write.
  const trimmed = text.trim().replaceAll(/\s/g, ' ')
  const [, integer = '', decimals = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(trimmed) ?? []
  const decimalSeparator = decimals === '' ? '' : trimmed.charAt(integer.length)
  const [group = ''] = /[., ]/.exec(integer) ?? []
  const isGrouped = group !== '' && group !== decimalSeparator && isGrouping(group, decimalSeparator, locale)
  const groups = isGrouped ? integer.split(group) : [integer]
  const [first = '', ...rest] = groups
  const isWhole = rest.length === 0 ? /^\d{1,10}$/.test(first) : /^[1-9]\d{0,2}$/.test(first)
  if (!isWhole || rest.some((each) => !/^\d{3}$/.test(each))) return undefined
  const value = Number(groups.join('') + decimals.padEnd(2, '0'))
  return value >= 1 && value <= maximum ? value : undefined
}

function isGrouping(separator: string, decimalSeparator: string, locale: string): boolean {
  if (separator === ' ' || decimalSeparator !== '') return true
  const parts = new Intl.NumberFormat(locale).formatToParts(1_000_000)
  return parts.some(({ type, value }) => type === 'group' && value === separator)
}
