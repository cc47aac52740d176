/** Every alert rule uses metrics and labels that a running service exports, and states reason and remedy. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { clusterUrl } from '../../support/database/database.ts'
import { METRICS_TOKEN, scrape } from '../../support/process/metrics.ts'
import type { Sample } from '../../support/process/metrics.ts'
import { startService } from '../../support/service.ts'

const rules = readFileSync(new URL('../../../deploy/alerts.yml', import.meta.url), 'utf8')
  .split(/^ +- alert: /m)
  .slice(1)
  .map((text) => ({ name: text.split('\n')[0] ?? '', text, expression: /^ +expr: (.+)$/m.exec(text)?.[1] ?? '' }))

/** A metric's name, with its label matchers. */
type Selector = Readonly<{
  metric: string
  matchers: readonly Readonly<{ label: string; how: string; value: string }>[]
}>

function selectorsIn(expression: string): Selector[] {
  return [...expression.matchAll(/\b([a-z_][a-z_\d]*)(?:\{([^}]*)\})?(?=\[|\)| |$)/g)]
    .filter(
      ([, metric = '']) =>
        ![
          'sum',
          'and',
          'unless',
          'by',
          'or',
          'le',
          'sign_in_method',
          'kid',
          'instance',
          'pool',
          'method',
          'route',
        ].includes(metric),
    )
    .map(([, metric = '', inside = '']) => ({
      metric,
      matchers: [...inside.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', how = '', value = '']) => ({
        label,
        how,
        value,
      })),
    }))
}

/** Labels that Prometheus adds to every scraped metric. */
const OF_PROMETHEUS = new Set(['job', 'instance'])

function problemsOf(expression: string, samples: readonly Sample[]): string[] {
  return selectorsIn(expression).flatMap(({ metric, matchers }) => {
    if (metric === 'up') return []
    const ofMetric = samples.filter(({ name }) => name === metric)
    if (ofMetric.length === 0) return [`${metric} is not exported`]
    return matchers
      .filter(({ label }) => !OF_PROMETHEUS.has(label))
      .flatMap(({ label, how, value }) => {
        const values = new Set(ofMetric.map(({ labels }) => labels[label]))
        if (values.has(undefined)) return [`${metric} has no label ${label}`]
        // Each alternative separately: a misspelt one would silently match nothing.
        const missing = value
          .split('|')
          .filter((each) => ![...values].some((one) => new RegExp(`^(?:${each})$`).test(one ?? '')))
        return missing.map((each) => `${metric}: no ${label} is ${how} ${each}`)
      })
  })
}

test('each rule states its subject, reason, remedy and severity', () => {
  assert.ok(rules.length >= 10)
  for (const { name, text, expression } of rules) {
    assert.match(name, /^PaylinkAuth[A-Z]\w+$/)
    assert.notEqual(expression, '', name)
    assert.match(text, /^ +labels: \{ severity: (critical|warning) \}$/m, name)
    for (const annotation of ['summary', 'reason', 'todo'])
      assert.match(text, new RegExp(`^ +${annotation}: .{20,}$`, 'm'), `${name} ${annotation}`)
  }
  assert.equal(new Set(rules.map(({ name }) => name)).size, rules.length)
})

test('after some traffic, the service exports each metric, label and value in the rules', async (t) => {
  const service = await startService({
    METRICS_TOKEN,
    JWT_SECRET_VERIFY: 'an-older-secret-of-more-than-thirty-two-bytes',
  })
  t.after(() => service.close())
  const token = await service.signIn('ana@example.com')
  await service.call('GET /users/me/export', { token })
  await fetch(`${service.origin}/readyz`)
  await fetch(`${service.origin}/readyz`, { method: 'HEAD' })
  await fetch(`${service.origin}/healthz`)
  await scrape(service.origin)
  // A 5xx, without Google.
  assert.equal((await service.call('POST /auth/google/onetap', { body: { credential: 'x' } })).status, 501)
  const samples = await scrape(service.origin)
  const ofOtherDatabase = clusterUrl === undefined ? /^\w+_connections_/ : /^\w+_(free_bytes|full|reserve_whole)\b/
  const isOfOtherDatabase = (problem: string) => ofOtherDatabase.test(problem)
  for (const { name, expression } of rules) {
    assert.deepEqual(
      problemsOf(expression, samples).filter((problem) => !isOfOtherDatabase(problem)),
      [],
      name,
    )
  }
  if (clusterUrl === undefined)
    assert.equal(samples.find(({ name }) => name === 'paylink_auth_database_full')?.value, 0)
  // A failing case is detected.
  assert.deepEqual(problemsOf('sum(rate(paylink_auth_gone_total[5m])) > 0', samples), [
    'paylink_auth_gone_total is not exported',
  ])
  assert.deepEqual(
    problemsOf(
      'sum by (sign_in_method) (rate(paylink_auth_sign_ins_total{sign_in_method=~"google|gogle",wey="x"}[5m]))',
      samples,
    ),
    ['paylink_auth_sign_ins_total: no sign_in_method is =~ gogle', 'paylink_auth_sign_ins_total has no label wey'],
  )
})
