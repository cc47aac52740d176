import assert from 'node:assert/strict'
import test from 'node:test'
import { findCaseProblems, LISTS, PAGE, pathProblems, requirementProblems } from '../../scripts/check-security.ts'

const [FLAWS = '', STANDARDS = '', FAULTS = '', OAUTH = ''] = LISTS
const TESTS = 'test/http/server/server.test.ts'

const explaining = (...rows: readonly string[]) =>
  [
    '# Cases that cannot apply and more',
    '| id | why |',
    '|---|---|',
    '| `F1` | x |',
    '## Cases that cannot apply',
    '| id | why |',
    '|---|---|',
    ...rows,
    '## Another',
    '| `J1` | x |',
  ].join('\n')

const tree: Readonly<Record<string, string>> = {
  [FLAWS]: '| # | id | flaw |\n|---|---|---|\n| 1 | `CVE-1` | of `x` |\n| 2 | `better-auth #10304` | another |\n',
  [STANDARDS]: '| id | rule |\n|---|---|\n| `J1` | `none` is refused |\n| `J2` | a rule |\n\n`J9` in a sentence.\n',
  [FAULTS]: '| id | fault |\n|---|---|\n| `F1` | kill -9 |\n| `F2` | no power |\n| `F3` | slow |\n',
  [OAUTH]: '| id | rule |\n|---|---|\n| `A1` | a rule |\n',
  [PAGE]: explaining('| `F2` | There is no power to cut. |'),
  [TESTS]: [
    "import test from 'node:test'",
    "test('a flaw is tried [CVE-1, J1, A1]', () => {})",
    'test(`${what} is tried, ${list.map((each) => `<${each({ a: { b: 1 } })}>`)} too [better-auth #10304]`, async () => {})',
    'test(',
    '  "it\'s refused [J2]",',
    '  async (t) => {',
    "    await t.test('killed [F1]', { skip: isWindows }, () => assert.match('x', /[x]/))",
    '  },',
    ')',
    "it('it\\'s slow [F3]', () => {})",
    "it('a name without a case', () => {})",
    'test(name, () => {})',
  ].join('\n'),
}

/** Problems with cases after these files are planted. */
const casesWith = (planted: Readonly<Record<string, string>>) =>
  findCaseProblems(new Map(Object.entries({ ...tree, ...planted })))

const withTest = (line: string) => ({ [TESTS]: `${tree[TESTS]}\n${line}\n` })
const UNTRIED = `${FAULTS}: F1 is covered by no test and not explained in ${PAGE}`
/** The tree, with this test replacing the one of F1. */
const insteadOfF1 = (line: string) => ({ [TESTS]: (tree[TESTS] ?? '').replace(/await t\.test\('killed.*/, line) })

test('accepts cases that are all tested or explained', () => {
  assert.deepEqual(casesWith({}), [])
})

test('reports a case without a test, even if other text names it', () => {
  const nowhere = [
    '',
    "// test('killed [F1]', () => {})",
    "/* test('killed [F1]', () => {}) */",
    "const text = `test('killed [F1]', () => {})`",
    "test('killed [F1] twice', () => {})",
    "test('killed [F1].', () => {})",
    "test('killed[F1]', () => {})",
    "test('killed (F1)', () => {})",
    "describe('killed [F1]', () => {})",
    "assert.ok(true, 'killed [F1]')",
    "pattern.test('killed [F1]', 1)",
    "latest('killed [F1]', 1)",
    "test.skip('killed [F1]', () => {})",
    "test.todo('killed [F1]', () => {})",
  ]
  for (const line of nowhere) assert.deepEqual(casesWith(insteadOfF1(line)), [UNTRIED], line)
})

test('reports a case in the name of a test that never runs', () => {
  for (const option of ['skip: true', 'todo: true', "timeout: 1, skip: 'later'", 'skip: `later`']) {
    assert.deepEqual(casesWith(insteadOfF1(`test('killed [F1]', { ${option} }, () => {})`)), [
      `${TESTS}: does not run the test of F1`,
      UNTRIED,
    ])
  }
})

test('reports a case in a test inside a group or test that never runs', () => {
  const inner = "test(') killed [F1]', () => assert.match(')', /[)]/))"
  const around = [
    ['describe.skip("x", () => {', '})'],
    ['describe.todo(`x`, () => {', '})'],
    ["suite.skip ('x', () => {", '})'],
    ['test.skip("x", async (t) => { await t.', '})'],
    ['it.todo("x", (t) => t.', ')'],
    ["describe('x', () => { describe.skip('y', () => {", '}) })'],
    ["describe('x', { skip: true }, () => {", '})'],
    ["suite('x', { concurrency: true, todo: 'later' }, () => {", '})'],
  ] as const
  for (const [before, behind] of around) {
    const line = `${before}${inner}${behind}`
    assert.deepEqual(casesWith(insteadOfF1(line)), [`${TESTS}: does not run the test of F1`, UNTRIED], line)
  }
  for (const line of [
    `describe.skip('x', () => {}); ${inner}`,
    `describe('x', { skip: isWindows }, () => { ${inner} })`,
    `describe('x', () => { test('y', { skip: true }, () => {}); ${inner} })`,
  ]) {
    assert.deepEqual(casesWith(insteadOfF1(line)), [], line)
  }
})

test('reports a case that is on no list, in a test’s name and on the page', () => {
  assert.deepEqual(casesWith(withTest("test('a rule [J1, J7]', () => {})")), [
    `${TESTS}: covers J7, which is on no list`,
  ])
  assert.deepEqual(casesWith(withTest("test('a rule [J1,J2]', () => {})")), [
    `${TESTS}: covers J1,J2, which is on no list`,
  ])
  assert.deepEqual(casesWith({ [PAGE]: explaining('| `F2` | No power. |', '| `F7` | No disk. |') }), [
    `${PAGE}: explains F7, which is on no list`,
  ])
})

test('reports a case that is both tested and explained, explained twice, or explained without a reason', () => {
  const [why, again] = ['| `F2` | No power. |', '| `F1` | No processes. |']
  assert.deepEqual(casesWith({ [PAGE]: explaining(why, again) }), [
    `${TESTS}: covers F1, which ${PAGE} says cannot apply`,
  ])
  assert.deepEqual(casesWith({ [PAGE]: explaining(why, why) }), [`${PAGE}: explains F2 again`])
  assert.deepEqual(casesWith({ [PAGE]: explaining('| `F2` | |') }), [`${PAGE}: does not say why \`F2\` cannot apply`])
  assert.deepEqual(casesWith({ [PAGE]: explaining('| F2 | No power. |') }), [
    `${PAGE}: explains F2, which is not an id in backticks`,
    `${FAULTS}: F2 is covered by no test and not explained in ${PAGE}`,
  ])
  assert.deepEqual(casesWith({ [PAGE]: explaining() }), [
    `${FAULTS}: F2 is covered by no test and not explained in ${PAGE}`,
  ])
})

test('reports a list without cases, or with a repeated case', () => {
  assert.deepEqual(casesWith({ [FLAWS]: '| # | id |\n|---|---|\n', ...insteadOfF1('') }).slice(0, 1), [
    `${FLAWS}: contains no case`,
  ])
  assert.deepEqual(casesWith({ [FAULTS]: `${tree[FAULTS]}| \`J1\` | again |\n` }), [`${FAULTS}: lists J1 again`])
})

test('reports a computed test name, which might contain cases', () => {
  const names = ["'killed ' + '[F1]'", "'killed [F1]'.trim()"]
  for (const name of names) {
    assert.deepEqual(casesWith(withTest(`test(${name}, () => {})`)), [
      `${TESTS}: has a test whose name cannot be read: ${name}, () => {})`,
    ])
  }
})

test('reports a linked or written path that does not exist, and ignores other code', () => {
  const there = new Set(['docs/decisions/0001-a.md', 'SECURITY.md', 'src/main.ts', 'test/model/', '.ci/run'])
  const page = [
    '## What, and who: a heading',
    '[one](decisions/0001-a.md#choice) [two](../SECURITY.md) [three](#what-and-who-a-heading) [four](https://example.com/none.md)',
    '`src/main.ts` `test/model/` `.ci/run` `GET /auth/verify` `/openapi.json` `text/html` `better-auth #10304` `src`',
  ].join('\n')
  const problemsWith = (more: string) => pathProblems(`${page}\n${more}`, (path) => there.has(path))
  assert.deepEqual(problemsWith(''), [])
  const missing: Readonly<Record<string, string>> = {
    '[five](decisions/0002-b.md)': 'docs/decisions/0002-b.md',
    '[five](../none.md)': 'none.md',
    '[five](#a-heading)': '#a-heading',
    '`src/none.ts`': 'src/none.ts',
    '`test/none/`': 'test/none/',
    '`test/http/none.test.ts`, and again `test/http/none.test.ts`': 'test/http/none.test.ts',
    '`package-lock.json`': 'package-lock.json',
    '`.env.example`': '.env.example',
    '`tests/a.test.ts`': 'tests/a.test.ts',
  }
  for (const [more, path] of Object.entries(missing)) {
    assert.deepEqual(problemsWith(more), [`${PAGE}: names ${path}, which does not exist`])
  }
})

const counts = { 1: 55, 2: 141, 3: 75 }
const rows = Object.entries(counts).flatMap(([level, count]) =>
  Array.from(
    { length: count },
    (_, n) => `| ${level}.1.${n} | ${level} | asks \\| something | yes | \`src/main.ts\` |`,
  ),
)
const outOfScope = Array.from({ length: 62 }, (_, n) => `9.9.${n}`)
const head = ['| id | level | requirement | met | by |', '|---|---|---|---|---|']
const account = [
  '## Deviations',
  '',
  '| id | requirement | instead |',
  '|---|---|---|',
  '| 1.1.0 | x | y |',
  '',
  '## OWASP ASVS 5.0',
  '',
  '### V1',
  '',
  ...head,
  ...rows.slice(0, 100),
  '',
  `Out of scope: ${outOfScope.join(', ')}. There is none of 4.5.6.`,
  '',
  '### V2',
  '',
  ...head,
  ...rows.slice(100),
]
  .join('\n')
  .replace('something | yes', 'something | deviation')

test('accepts a page with all requirements', () => {
  assert.deepEqual(requirementProblems(account), [])
})

test('reports a requirement that is missing, repeated, without a level or without text', () => {
  const second = rows[1] ?? ''
  const breaches: [from: string, to: string, ...problems: string[]][] = [
    [`${second}\n`, '', 'has 54 requirements of level 1, not 55'],
    [second, `${second}\n${second}`, 'has 56 requirements of level 1, not 55', 'has 1.1.1 twice'],
    [second, second.replace('1.1.1', '9.9.1'), 'has 9.9.1 twice'],
    [second, second.replace('1.1.1', 'one'), 'has a requirement without an id: one'],
    [second, second.replace('| 1 |', '| 4 |'), 'has 54 requirements of level 1, not 55', '1.1.1 has no valid level'],
    [second, second.replace('| yes |', '| soon |'), '1.1.1 has the unknown verdict "soon"'],
    [second, second.replace('`src/main.ts`', ' '), '1.1.1 lacks its requirement, or how it is met'],
    [second, second.replace(/asks.*something/, ''), '1.1.1 lacks its requirement, or how it is met'],
    ['9.9.61', '', 'lists 61 requirements as out of scope, not 62'],
    ['9.9.61', '9.9.60', 'has 9.9.60 twice'],
  ]
  for (const [from, to, ...problems] of breaches) {
    assert.ok(account.includes(from))
    const expected = problems.map((problem) => `${PAGE}: ${problem}`)
    assert.deepEqual(requirementProblems(account.replace(from, to)), expected, problems.join())
  }
})

test('reports an undeclared deviation, and a declared one that does not exist', () => {
  const second = rows[1] ?? ''
  const deviating = account.replace(second, second.replace('| yes |', '| deviation |'))
  assert.deepEqual(requirementProblems(deviating), [`${PAGE}: 1.1.1 is an undeclared deviation`])
  const declared = account.replace('| 1.1.0 | x | y |', '| 1.1.0 | x | y |\n| 1.1.1 | x | y |')
  assert.deepEqual(requirementProblems(declared), [`${PAGE}: 1.1.1 is declared as a deviation but is not one`])
  assert.notDeepEqual(requirementProblems(''), [])
})
