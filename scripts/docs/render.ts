/** Renders a page as plain HTML without scripts; the navigation follows the text. */
import { Marked } from 'marked'
import type { Tokens } from 'marked'
import { createSlugs } from './links.ts'
import { navigation } from './pages.ts'

export type Assets = Readonly<{ style: string; icon: string }>

/**
 * Links must be final addresses.
 * @param path the served path, `.md` appended for the Markdown version; null: the "not found" page
 * @throws on HTML in the Markdown, because text that looks like a tag would disappear
 */
export function renderPage(markdown: string, path: string | null, assets: Assets): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · paylink-auth</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
${path === null ? '' : `<link rel="alternate" href="${path}.md" type="text/markdown">\n`}</head>
<body class="docs">
<a class="skip" href="#content">Skip to the text</a>
<header><a class="brand" href="/docs/quick-start"><img src="${assets.icon}" alt="">paylink-auth</a><a class="to-pages" href="#pages">All pages</a></header>
<main id="content" tabindex="-1">
${toHtml(markdown)}${path === null ? '' : `<p class="soft small"><a href="${path}.md">This page as Markdown</a></p>\n`}</main>
<nav id="pages" tabindex="-1" aria-label="Documentation">
${navigation.map(({ title: group, pages }) => `<h2>${group}</h2>\n<ul>\n${pages.map(([to, text]) => `<li><a href="${to}"${to === path ? ' aria-current="page"' : ''}>${text}</a></li>\n`).join('')}</ul>\n`).join('')}</nav>
</body>
</html>
`
}

function toHtml(markdown: string): string {
  const slug = createSlugs()
  const marked = new Marked({
    // Bare URLs in the text are examples and not links.
    tokenizer: { url: () => undefined },
    renderer: {
      heading({ tokens, depth, text }) {
        const id = slug(text.replaceAll(/\]\([^)]*\)/g, ''))
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      // Wide blocks scroll, by keyboard too, so they must be focusable.
      code({ text, lang }) {
        const language = lang ? ` class="language-${escapeHtml(lang)}"` : ''
        return `<pre tabindex="0"><code${language}>${escapeHtml(text)}\n</code></pre>\n`
      },
      html({ text, raw }: Tokens.HTML | Tokens.Tag) {
        if (/^<!--[^]*-->\s*$/.test(text)) return ''
        throw new Error(`HTML in Markdown: ${raw}`)
      },
    },
  })
  return (
    marked
      .parse(markdown, { async: false })
      .replaceAll('<table>', '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
      .replaceAll('</table>', '</table></div>')
      // A table's header may have an empty cell; an empty `th` is not accessible.
      .replaceAll(/<th([^>]*)><\/th>/g, '<td$1></td>')
  )
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
