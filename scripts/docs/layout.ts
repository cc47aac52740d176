/** The frame of every page: header with search, navigation, text, and the neighbours in reading order. */
import { escapeHtml } from '../../src/lib/text/html.ts'
import type { NavigationGroup } from './pages.ts'
import { renderText } from './render.ts'

/** Served paths. */
export type Assets = Readonly<{ style: string; icon: string; theme: string; script: string; index: string }>
export type PageText = Readonly<{ path: string; markdown: string; isReference: boolean }>

const LANDING = '/docs/quick-start'

/**
 * @param page its links are final addresses; its path with `.md` is the Markdown version
 * @param navigation marks the page, and links its sections if it is a reference
 */
export function renderPage(page: PageText, navigation: readonly NavigationGroup[], assets: Assets): string {
  const { path, markdown, isReference } = page
  const text = renderText(markdown, isReference)
  const foot = `<p class="soft small"><a href="${path}.md">This page as Markdown</a></p>\n${pager(path, navigation)}`
  return frame({
    title: titleOf(page, navigation),
    head: `<link rel="alternate" href="${path}.md" type="text/markdown">\n`,
    main: `<main id="content" tabindex="-1"${isReference ? ' class="reference"' : ''}>\n${text}${foot}</main>`,
    navigation: navigationHtml(navigation, path, isReference ? sectionsOf(text) : ''),
    assets,
  })
}

export function renderNotFound(navigation: readonly NavigationGroup[], assets: Assets): string {
  const text = renderText(
    '# Page not found\n\nThe page may have moved. Search for it, or begin with the [quick start](/docs/quick-start).\n',
    false,
  )
  return frame({
    title: 'Page not found',
    head: '',
    main: `<main id="content" tabindex="-1">\n${text}</main>`,
    navigation: navigationHtml(navigation, '', ''),
    assets,
  })
}

function titleOf({ path, markdown, isReference }: PageText, navigation: readonly NavigationGroup[]): string {
  const heading = /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? ''
  // A resource and a guide may have the same heading.
  const group = navigation.find(({ pages }) => isReference && pages.some(([one]) => one === path))
  return group === undefined || heading === group.title ? heading : `${heading} · ${group.title}`
}

type Frame = Readonly<{ title: string; head: string; main: string; navigation: string; assets: Assets }>

function frame({ title, head, main, navigation, assets }: Frame): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · paylink-auth</title>
<script src="${assets.theme}"></script>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
${head}</head>
<body class="docs">
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="brand" href="${LANDING}"><img src="${assets.icon}" alt="" width="28" height="28">paylink-auth <span>Docs</span></a>
<button class="open-search" type="button" aria-haspopup="dialog" aria-keyshortcuts="/"><span>Search</span><kbd>/</kbd></button>
<a class="app" href="/">Dashboard</a>
<button class="open-pages" type="button" popovertarget="pages">Menu</button>
</header>
<nav id="pages" popover aria-label="Documentation">
<a class="app" href="/">Dashboard</a>
${navigation}</nav>
${main}
${searchDialog(assets.index)}
<p class="visually-hidden" role="status" id="copied"></p>
</body>
</html>
`
}

const searchDialog = (index: string): string => `<dialog id="search" aria-label="Search" data-index="${index}">
<div class="search-field">
<input type="search" role="combobox" aria-label="Search the documentation" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="Search the documentation" enterkeyhint="go">
<button class="close-search" type="button">Close</button>
</div>
<div id="results" role="listbox" aria-label="Results" hidden></div>
<p role="status"></p>
<p class="keys" aria-hidden="true"><kbd>↑</kbd> <kbd>↓</kbd> to choose, <kbd>Enter</kbd> to open, <kbd>Esc</kbd> to close</p>
</dialog>`

function navigationHtml(navigation: readonly NavigationGroup[], current: string, sections: string): string {
  const item = ([path, title]: readonly [string, string]): string =>
    path === current
      ? `<li><a href="${path}" aria-current="page">${title}</a>${sections}</li>\n`
      : `<li><a href="${path}">${title}</a></li>\n`
  return navigation.map(({ title, pages }) => `<h2>${title}</h2>\n<ul>\n${pages.map(item).join('')}</ul>\n`).join('')
}

function sectionsOf(text: string): string {
  const items = [...text.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)].map(
    ([, id, heading]) => `<li><a href="#${id}">${heading}</a></li>\n`,
  )
  return items.length === 0 ? '' : `\n<ul>\n${items.join('')}</ul>\n`
}

function pager(path: string, navigation: readonly NavigationGroup[]): string {
  const pages = navigation.flatMap((group) => group.pages)
  const index = pages.findIndex(([one]) => one === path)
  if (index < 0) return ''
  return `<nav class="pager" aria-label="Previous and next page">
${neighbour(pages[index - 1], 'prev', 'Previous')}${neighbour(pages[index + 1], 'next', 'Next')}</nav>
`
}

function neighbour(page: readonly [path: string, title: string] | undefined, rel: string, label: string): string {
  return page === undefined ? '' : `<a rel="${rel}" href="${page[0]}"><span>${label}</span> ${page[1]}</a>\n`
}
