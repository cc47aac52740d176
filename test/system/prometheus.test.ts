import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { temporaryFolder } from '../support/files.ts'
import { METRICS_TOKEN } from '../support/process/metrics.ts'
import { RULES, startPrometheus } from '../support/process/prometheus.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const rules = fileURLToPath(RULES)
const names = [...readFileSync(rules, 'utf8').matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name)

const sent = 'paylink_auth_mail_attempts_total{outcome="sent"}'

/**
 * By rule: series (a value per minute, or per `every`), and when it fires and does not yet. `a+bxn`: from a, n times b
 * more.
 */
type Case = Readonly<{ series: Readonly<Record<string, string>>; silentAt: string; firesAt: string; every?: string }>

const calls = (status: number, perMinute: number) =>
  [
    `paylink_auth_requests_total{method="GET",route="/api/v1/auth/check",status="${status}"}`,
    `0+${perMinute}x700`,
  ] as const
const ofJob = '{job="paylink-auth",instance="one"}'
const bucket = (le: string, perMinute: number) =>
  [
    `paylink_auth_request_duration_seconds_bucket{method="GET",route="/api/v1/auth/check",le="${le}"}`,
    `0+${perMinute}x60`,
  ] as const
const refusals = (reason: string) => `paylink_auth_database_refusals_total{reason="${reason}",instance="one"}`
const failures = (signInMethod: string, code: string) =>
  `paylink_auth_sign_in_failures_total{sign_in_method="${signInMethod}",code="${code}"}`

const cases: Readonly<Record<string, Case>> = {
  PaylinkAuthDown: { series: { [`up${ofJob}`]: '1 1 0x20' }, silentAt: '1m', firesAt: '4m' },
  PaylinkAuthDatabaseDown: { series: { paylink_auth_database_up: '1 1 0x20' }, silentAt: '1m', firesAt: '4m' },
  PaylinkAuthErrors: { series: Object.fromEntries([calls(200, 1000), calls(503, 20)]), silentAt: '3m', firesAt: '12m' },
  PaylinkAuthSlow: {
    series: Object.fromEntries([bucket('0.5', 900), bucket('1', 1000), bucket('+Inf', 1000)]),
    silentAt: '5m',
    firesAt: '20m',
  },
  PaylinkAuthMailStuck: {
    series: { paylink_auth_mail_queue_oldest_age_seconds: '0+60x20', [sent]: '0+10x8 80x20' },
    silentAt: '11m',
    firesAt: '18m',
  },
  PaylinkAuthConnectionsUsedUp: {
    series: { 'paylink_auth_database_connections_waiting{pool="calls",instance="one"}': '0 3x20' },
    silentAt: '1m',
    firesAt: '5m',
  },
  PaylinkAuthEventLoopBlocked: {
    series: { [`paylink_auth_event_loop_stalled_seconds_total${ofJob}`]: '0+12x20' },
    silentAt: '4m',
    firesAt: '9m',
  },
  PaylinkAuthFrozen: {
    series: { [`paylink_auth_event_loop_longest_stall_seconds${ofJob}`]: '0.9 0.9 0.9 4x20' },
    silentAt: '2m',
    firesAt: '3m',
  },
  PaylinkAuthExchangeRatesOld: {
    series: { paylink_auth_exchange_rates_age_seconds: '500000+3600x20' },
    silentAt: '6h',
    firesAt: '8h',
    every: '1h',
  },
  PaylinkAuthFilesRunOut: {
    series: { [`process_open_fds${ofJob}`]: '90x20', [`process_max_fds${ofJob}`]: '100x20' },
    silentAt: '3m',
    firesAt: '8m',
  },
  PaylinkAuthRestarts: {
    series: { [`process_start_time_seconds${ofJob}`]: '1 1 1 2 3 4 5 5x20' },
    silentAt: '5m',
    firesAt: '7m',
  },
  PaylinkAuthKeysGuessed: {
    series: {
      [failures('api_key', 'INVALID_CREDENTIALS')]: '0+50x60',
      [failures('api_key', 'RATE_LIMITED')]: '0+50x60',
    },
    silentAt: '5m',
    firesAt: '25m',
  },
  PaylinkAuthSignInsRefused: {
    series: {
      [failures('one_tap', 'GOOGLE_CREDENTIAL_INVALID')]: '0+10x60',
      'paylink_auth_sign_ins_total{sign_in_method="one_tap"}': '0+1x60',
    },
    silentAt: '10m',
    firesAt: '40m',
  },
  PaylinkAuthSignupsMany: {
    series: { 'paylink_auth_sign_ins_total{sign_in_method="signup"}': '0+100x60' },
    silentAt: '5m',
    firesAt: '25m',
  },
  PaylinkAuthOldSecretInUse: {
    // Nobody uses it at night.
    series: {
      'paylink_auth_tokens_accepted_total{kid="old",setting="JWT_SECRET_VERIFY"}': Array.from(
        { length: 11 },
        (_, day) => `${day * 900}+60x14 ${(day + 1) * 900}x8`,
      ).join(' '),
      // Its last tokens, from a process that was restarted three hours after the first, have expired.
      'paylink_auth_tokens_accepted_total{kid="retired",setting="JWT_SECRET_VERIFY"}': '0+60x171 10260x100',
    },
    silentAt: '195h',
    firesAt: '10d',
    every: '1h',
  },
  PaylinkAuthDiskLow: {
    series: { 'paylink_auth_database_free_bytes{instance="one"}': '600000000 400000000x20' },
    silentAt: '4m',
    firesAt: '8m',
  },
  PaylinkAuthDiskFull: {
    series: { [refusals('disk_full')]: '0 0 0 1x20' },
    silentAt: '2m',
    firesAt: '4m',
  },
  PaylinkAuthReserveMissing: {
    series: { 'paylink_auth_database_reserve_whole{instance="one"}': '1 0x20' },
    silentAt: '9m',
    firesAt: '13m',
  },
  PaylinkAuthWritesFail: {
    series: Object.fromEntries([
      calls(200, 100_000),
      ['paylink_auth_requests_total{method="POST",route="/api/v1/auth/tokens/revoke",status="503"}', '0+1x30'],
    ]),
    silentAt: '3m',
    firesAt: '12m',
  },
}

/** A day without incidents: no alert fires. */
const quiet = {
  [`up${ofJob}`]: '1x130',
  paylink_auth_database_up: '1x130',
  paylink_auth_database_free_bytes: '2000000000x130',
  paylink_auth_database_reserve_whole: '1x130',
  [refusals('disk_full')]: '0x130',
  [refusals('contention')]: '0+1x130',
  // One mailbox refuses mail while others accept it.
  paylink_auth_mail_queue_oldest_age_seconds: '0+60x130',
  [sent]: '0+10x130',
  ...Object.fromEntries([calls(200, 1000), calls(401, 300), calls(503, 1)]),
  ...Object.fromEntries([bucket('0.005', 990), bucket('0.5', 1000), bucket('1', 1000), bucket('+Inf', 1000)]),
  [`process_start_time_seconds${ofJob}`]: '1x130',
  [`paylink_auth_event_loop_stalled_seconds_total${ofJob}`]: '0+0.5x130',
  [`paylink_auth_event_loop_longest_stall_seconds${ofJob}`]: '0.5x130',
  // The longest holidays.
  paylink_auth_exchange_rates_age_seconds: '480000+60x130',
  [failures('magic_link', 'LINK_INVALID')]: '0+2x130',
  'paylink_auth_sign_ins_total{sign_in_method="magic_link"}': '0+20x130',
  'paylink_auth_tokens_accepted_total{kid="old",setting="JWT_SECRET_VERIFY"}': '0+5x20 100x110',
  'paylink_auth_tokens_accepted_total{kid="new",setting="JWT_SECRET"}': '0+5x130',
}

test('each alert fires when it should, not before, and never on a quiet day', () => {
  assert.deepEqual(Object.keys(cases).toSorted(), names.toSorted())
  const seriesOf = (series: object) => Object.entries(series).map(([name, values]) => ({ series: name, values }))
  const at = (eval_time: string, alertname: string, value: 0 | 1) => ({
    eval_time,
    expr: `count(ALERTS{alertname="${alertname}",alertstate="firing"}) or vector(0)`,
    exp_samples: [{ labels: '{}', value }],
  })
  const ofCase = ([name, { series, silentAt, firesAt, every = '1m' }]: readonly [string, Case]) => ({
    name,
    interval: every,
    input_series: seriesOf(series),
    promql_expr_test: [at(silentAt, name, 0), at(firesAt, name, 1)],
  })
  const ofQuiet = names.map((name) => at('2h', name, 0))
  const folder = temporaryFolder()
  const write = (evaluation_interval: string, tests: readonly object[]) => {
    const file = join(folder.path, `${evaluation_interval}.yml`)
    // JSON is valid YAML.
    writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval, tests }))
    return file
  }
  const isOf =
    (interval: string) =>
    ([, { every = '1m' }]: readonly [string, Case]) =>
      every === interval
  const [everyMinute, hourly] = ['1m', '1h'].map((interval) => Object.entries(cases).filter(isOf(interval)).map(ofCase))
  const files = [
    write('1m', [
      ...(everyMinute ?? []),
      { name: 'quiet', interval: '1m', input_series: seriesOf(quiet), promql_expr_test: ofQuiet },
    ]),
    write('1h', hourly ?? []),
  ]
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', ...files], { encoding: 'utf8' })
  folder.remove()
  assert.equal(status, 0, stdout + stderr)
})

test('Prometheus with that configuration scrapes the service and evaluates every rule without an error', async (t) => {
  const service = await startService({ METRICS_TOKEN })
  t.after(() => service.close())
  await service.signIn('ana@example.com')
  const prometheus = await startPrometheus(service.origin, METRICS_TOKEN)
  t.after(() => prometheus.stop())
  const target = async () => (await prometheus.ask('targets')).activeTargets[0]
  await until(async () => (await target())?.health === 'up', 'it is scraped')
  const query = encodeURIComponent('paylink_auth_sign_ins_total{sign_in_method="magic_link"}')
  // A scrape is reported shortly before its samples are stored.
  const signIns = async () => (await prometheus.ask(`query?query=${query}`)).result[0]?.value[1]
  await until(async () => (await signIns()) !== undefined, 'its samples are stored')
  assert.equal(await signIns(), '1')
  const stored = Date.now()
  const loaded = async () => (await prometheus.ask('rules')).groups.flatMap((group: any) => group.rules)
  const isEvaluated = ({ lastEvaluation }: any) => Date.parse(lastEvaluation) > stored
  await until(async () => (await loaded()).every(isEvaluated), 'the rules are evaluated on these samples')
  // Their states are the matter of test/system/alerts.test.ts: a service as in tests has no rates and no reserve.
  assert.deepEqual(
    (await loaded()).map(({ name, health, lastError }: any) => [name, health, lastError]),
    names.map((name) => [name, 'ok', undefined]),
  )
})
