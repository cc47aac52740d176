/** Renders Markdown as the HTML of a page's text. */
import { Marked } from 'marked'
import type { Token, Tokens } from 'marked'
import { escapeHtml } from '../../src/lib/text/html.ts'
import { createSlugs } from './links.ts'

const languages: Readonly<Record<string, string>> = {
  bash: 'Shell',
  ts: 'TypeScript',
  typescript: 'TypeScript',
  json: 'JSON',
  http: 'HTTP',
  html: 'HTML',
  sql: 'SQL',
  yaml: 'YAML',
  nginx: 'nginx',
  js: 'JavaScript',
}

/**
 * Links must be final addresses.
 * @param isReference a page whose second-level sections are operations: their samples stand beside their details
 * @throws on HTML in the Markdown, because text that looks like a tag would disappear
 */
export function renderText(markdown: string, isReference: boolean): string {
  const marked = markedWithAnchors(isReference)
  const tokens = marked.lexer(markdown)
  if (!isReference) return accessible(marked.parser(tokens))
  const [intro = [], ...operations] = splitAtHeadings(tokens)
  const sections = operations.map(([heading, ...rest]) => {
    const start = rest.findIndex(isCode)
    const [lead, others] = [rest.slice(0, start), rest.slice(start)]
    const samples = others.filter(isCode)
    const details = others.filter((token) => !isCode(token))
    return [
      '<section class="operation">\n',
      heading === undefined ? '' : marked.parser([heading]),
      `<div class="lead">\n${marked.parser(lead)}</div>\n`,
      `<div class="samples">\n${marked.parser(samples)}</div>\n`,
      `<div class="details">\n${marked.parser(details)}</div>\n`,
      '</section>\n',
    ].join('')
  })
  return accessible(marked.parser(intro) + sections.join(''))
}

const isCode = ({ type }: Token): boolean => type === 'code'

function splitAtHeadings(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (token.type === 'heading' && token['depth'] === 2) parts.push([])
    parts.at(-1)?.push(token)
  }
  return parts
}

function markedWithAnchors(isReference: boolean): Marked {
  const slug = createSlugs()
  let section = ''
  return new Marked({
    // Bare URLs in the text are examples and not links.
    tokenizer: { url: () => undefined },
    renderer: {
      heading({ tokens, depth, text }) {
        const plain = text.replaceAll(/\]\([^)]*\)/g, '')
        const id = slug(plain)
        const heading = `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>`
        section = plain.replaceAll(/[[\]`]/g, '')
        if (depth === 1) return `${heading}\n`
        const label = escapeHtml(`Link to “${section}”`)
        return `<div class="heading level-${depth}">${heading}<a class="anchor" href="#${id}" aria-label="${label}">#</a></div>\n`
      },
      code({ text, lang = '' }) {
        return codeBlock(text, lang, section, isReference)
      },
      html({ text, raw }: Tokens.HTML | Tokens.Tag) {
        if (/^<!--[^]*-->\s*$/.test(text)) return ''
        throw new Error(`HTML in Markdown: ${raw}`)
      },
    },
  })
}

// Wide blocks scroll, by keyboard too, so they must be focusable and need a name.
function codeBlock(text: string, info: string, section: string, isReference: boolean): string {
  const [language = '', status] = info.split(' ')
  const label = status === undefined ? languageLabel(language, isReference) : `Answer ${status}`
  const name = escapeHtml(section === '' ? label : `${label}, ${section}`)
  return [
    `<div class="code"><div class="code-head"><span>${label}</span>`,
    `<button class="copy" type="button" aria-label="Copy ${name}">Copy</button></div>`,
    `<pre tabindex="0" role="group" aria-label="${name}"><code>${escapeHtml(text)}\n</code></pre></div>\n`,
  ].join('')
}

function languageLabel(language: string, isReference: boolean): string {
  return isReference && language === 'bash' ? 'curl' : (languages[language] ?? 'Code')
}

/** Settings and other constants in tables have anchors. */
function accessible(html: string): string {
  const named = new Set<string>()
  return (
    html
      .replaceAll(/<tr>\n<td><code>([A-Z][A-Z\d_]+)<\/code><\/td>/g, (row, name: string) => {
        if (named.has(name)) return row
        named.add(name)
        return row.replace('<tr>', `<tr id="${name}">`)
      })
      .replaceAll('<table>', '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
      .replaceAll('</table>', '</table></div>')
      // A table's header may have an empty cell; an empty `th` is not accessible.
      .replaceAll(/<th([^>]*)><\/th>/g, '<td$1></td>')
  )
}
