/** Forms of fields that many answers have. */
import { Type } from 'typebox'

const described = (description?: string) => (description === undefined ? {} : { description })

export const time = (description?: string) => Type.String({ format: 'date-time', ...described(description) })

export const timeOrNull = (description?: string) => Type.Union([time(), Type.Null()], described(description))

export const textOrNull = (description?: string) => Type.Union([Type.String(), Type.Null()], described(description))
