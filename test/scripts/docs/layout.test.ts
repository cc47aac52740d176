import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderPage } from '../../../scripts/docs/layout.ts'
import { renderText } from '../../../scripts/docs/render.ts'

const navigation = [
  { title: 'Start', pages: [['/docs/a', 'A']] },
  {
    title: 'API reference',
    pages: [
      ['/docs/api/b', 'B'],
      ['/docs/c', 'C'],
    ],
  },
] as const
const assets = { style: '/s.css', icon: '/i.svg', theme: '/t.js', script: '/d.js', index: '/x.json' }
const render = (path: string, markdown: string, isReference = false) =>
  renderPage({ path, markdown, isReference }, navigation, assets)

test('a page marks itself, and leads to its neighbours across groups; one outside of the navigation has none', () => {
  const first = render('/docs/a', '# A\n')
  assert.match(first, /<a href="\/docs\/a" aria-current="page">A<\/a>/)
  assert.doesNotMatch(first, /rel="prev"/)
  assert.match(first, /<a rel="next" href="\/docs\/api\/b"><span>Next<\/span> B<\/a>/)
  assert.match(render('/docs/c', '# C\n'), /rel="prev" href="\/docs\/api\/b"[^]*(?<!rel="next"[^]*)<\/main>/)
  assert.doesNotMatch(render('/docs/other', '# Other\n'), /rel="(prev|next)"|aria-current/)
})

test('a page of the reference links its operations in the navigation and says in its title what it is', () => {
  const page = render('/docs/api/b', '# B\n\n## Do `x`\n', true)
  assert.match(page, /<title>B · API reference · paylink-auth<\/title>/)
  assert.match(page, /aria-current="page">B<\/a>\n<ul>\n<li><a href="#do-x">Do <code>x<\/code><\/a><\/li>\n<\/ul>/)
})

test('a heading has an anchor, and code a name, a copy button and the focus', () => {
  const html = renderText('# T\n\n## A "b"\n\n```bash\necho <a>\n```\n', false)
  assert.match(
    html,
    /<h2 id="a-b">A &quot;b&quot;<\/h2><a class="anchor" href="#a-b" aria-label="Link to “A &quot;b&quot;”">#<\/a>/,
  )
  assert.match(html, /<button class="copy" type="button" aria-label="Copy Shell, A &quot;b&quot;">Copy<\/button>/)
  assert.match(
    html,
    /<pre tabindex="0" role="group" aria-label="Shell, A &quot;b&quot;"><code>echo &lt;a&gt;\n<\/code><\/pre>/,
  )
})

test('a row of a table that begins with a constant has its name as its anchor, once', () => {
  const html = renderText('# T\n\n| a | b |\n|---|---|\n| `PORT` | x |\n| `PORT` | y |\n| `lower` | z |\n', false)
  assert.deepEqual(html.match(/<tr id="[^"]+">/g), ['<tr id="PORT">'])
})

test('on a page of the reference the samples of an operation stand apart, after its description', () => {
  const html = renderText('# T\n\nIntro\n\n## A\n\nText\n\n```bash\ncurl\n```\n\nMore\n\n```json 201\n{}\n```\n', true)
  const [, lead = '', samples = '', details = ''] =
    /<div class="lead">([^]*)<div class="samples">([^]*)<div class="details">([^]*)<\/section>/.exec(html) ?? []
  assert.match(lead, /Text/)
  assert.match(details, /More/)
  assert.doesNotMatch(lead + details, /<pre/)
  assert.match(samples, /<span>curl<\/span>[^]*<span>Answer 201<\/span>/)
})

test('HTML in the Markdown stops the build, except comments', () => {
  assert.throws(() => renderText('# T\n\n<b>x</b>\n', false), /HTML in Markdown/)
  assert.doesNotMatch(renderText('# T\n\n<!-- x -->\n', false), /x/)
})
