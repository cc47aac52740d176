import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textsOf } from '../../../scripts/docs/build-docs.ts'
import { searchIndexOf, sectionsOf } from '../../../scripts/docs/search-index.ts'
import { addressOfAnchor, readIndex, search } from '../../../web/src/docs/index-loader.ts'

const page = {
  path: '/docs/a',
  group: 'Guides',
  markdown: [
    '# Über `a` & [b](b.md)',
    'First *text*, with a [link](/docs/c#d).',
    '## Same',
    '| `field` | Meaning |\n|---|---|\n| `x` | Șase |',
    '```bash\n# no heading\nhidden\n```',
    '## Same',
    '| `A_SETTING` | one |\n| `A_SETTING` | two |',
    '',
  ].join('\n\n'),
}

test('a section is what stands below a heading, with the address that the page gives it, as plain text without code', () => {
  const [top, first, second, setting, ...more] = sectionsOf(page)
  assert.deepEqual(more, [])
  assert.deepEqual(top, {
    id: '/docs/a',
    page: '',
    heading: 'Über a & b',
    group: 'Guides',
    text: 'First text , with a link.',
    excerpt: 'First text , with a link.',
  })
  assert.deepEqual([first?.id, first?.page, first?.text], ['/docs/a#same', 'Über a & b', 'field Meaning x Șase'])
  assert.equal(second?.id, '/docs/a#same-1')
  assert.deepEqual([setting?.id, setting?.heading, setting?.text], ['/docs/a#A_SETTING', 'A_SETTING', 'one'])
})

test('diacritics and case do not matter, beginnings and misspellings of words are found, and every word counts', async () => {
  const index = await readIndex(searchIndexOf([page]))
  const found = (query: string) => search(index, query).map(({ id }) => id)
  for (const query of ['sase', 'ȘASE', 'șase', 'meani', 'meaming', 'x same'])
    assert.deepEqual(found(query), ['/docs/a#same'], query)
  assert.equal(found('uber')[0], '/docs/a')
  for (const query of ['same nothing', 'what is the same?', 'msae same'])
    assert.deepEqual(found(query), ['/docs/a#same', '/docs/a#same-1'], query)
  for (const query of ['hidden', 'nothing', 'what is the', '***']) assert.deepEqual(found(query), [], query)
})

test('the index of all pages finds what developers look for', async () => {
  const { texts, navigation } = textsOf(new URL('../../../', import.meta.url).pathname)
  const groupOf = (path: string) =>
    navigation.find(({ pages }) => pages.some(([one]) => one === path))?.title ?? 'Background'
  const written = searchIndexOf(texts.map(({ path, markdown }) => ({ path, markdown, group: groupOf(path) })))
  // Under 100 kB compressed, loaded once per version.
  assert.ok(written.length < 500_000, `${written.length}`)
  const index = await readIndex(written)
  const firstFor = (query: string) => search(index, query)[0]?.id
  assert.equal(firstFor('create payment link'), '/docs/api/payment-links#create-a-payment-link')
  assert.equal(firstFor('revoke key'), '/docs/api/api-keys#revoke-an-api-key')
  for (const query of ['how to revoke a key', 'reovke key'])
    assert.equal(firstFor(query), '/docs/api/api-keys#revoke-an-api-key', query)
  assert.equal(firstFor('how do I rotate a key?'), '/docs/api/api-keys#rotate-the-secret-of-an-api-key')
  for (const query of ['tokne', 'reovke']) assert.match(search(index, query)[0]?.heading ?? '', /token|revo/i, query)
  const groups = search(index, 'search payment links').map(({ group }) => group)
  assert.ok(groups.filter((group) => group === 'Background').length <= 1, groups.join())
  assert.equal(firstFor('KEY_AWAITS_OWNER'), '/docs/errors#key_awaits_owner')
  assert.equal(firstFor('TRUST_PROXY'), '/docs/settings#TRUST_PROXY')
  assert.equal(firstFor('0005'), '/docs/decisions/0005-claim')

  assert.equal(addressOfAnchor(index, 'create-a-payment-link'), '/docs/api/payment-links#create-a-payment-link')
  assert.equal(addressOfAnchor(index, 'api-keys'), '/docs/api/api-keys')
  assert.equal(addressOfAnchor(index, 'sign-up'), undefined)
})
