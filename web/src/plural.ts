/** The form of a word for a count. English has `one` and `other`; Romanian `one`, `few` and `other`, as in "20 de chei". */
import { language } from './language.ts'

type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

const rules = new Intl.PluralRules(language)
const number = new Intl.NumberFormat(language)

/** `#` in a form becomes the count: `plural(3, { one: '# key', other: '# keys' })` is "3 keys". */
export function plural(count: number, forms: Forms): string {
  return (forms[rules.select(count)] ?? forms.other).replace('#', number.format(count))
}
