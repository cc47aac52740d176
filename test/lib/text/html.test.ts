import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { escapeHtml, html, noHtml } from '../../../src/lib/text/html.ts'

test('text is escaped for elements and quoted attributes, and HTML is inserted once, as it is', () => {
  const text = `<b a="1" c='2'>&amp;`
  assert.equal(
    html`<p title="${text}">${html`<i>${text}</i>`}${[html`${1}`, noHtml]}</p>`.text,
    '<p title="&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;"><i>&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;</i>1</p>',
  )
})

test('escaped text has nothing that could end a text or a quoted attribute, and loses nothing', () => {
  const anyText = fc.string({ unit: fc.constantFrom('&', '<', '>', '"', "'", 'a', ';', '#', 'ă') })
  fc.assert(
    fc.property(anyText, (text) => {
      const escaped = escapeHtml(text)
      assert.doesNotMatch(escaped, /[<>"']|&(?!(amp|lt|gt|quot|#39);)/)
      const back = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
      assert.equal(
        escaped.replace(/&\S+?;/g, (entity) => back[entity as keyof typeof back]),
        text,
      )
    }),
  )
})
