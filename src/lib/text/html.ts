/** HTML in which every inserted text is escaped. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Insertable = Html | string | number | readonly Html[]

/** A tagged template: `Html` is inserted as it is, text is escaped for an element or a quoted attribute. */
export function html(parts: TemplateStringsArray, ...inserted: readonly Insertable[]): Html {
  let text = parts[0] ?? ''
  for (let index = 0; index < inserted.length; index += 1)
    text += textOf(inserted[index] as Insertable) + parts[index + 1]
  return new Html(text)
}

export const noHtml = new Html('')

function textOf(inserted: Insertable): string {
  if (inserted instanceof Html) return inserted.text
  if (typeof inserted === 'object') return inserted.map(({ text }) => text).join('')
  return escapeHtml(String(inserted))
}

/** Safe between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string)
}
