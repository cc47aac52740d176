import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countStalls, descriptorCheck, stallCheck } from '../../../src/http/monitoring/heartbeat.ts'
import { createLog } from '../../../src/lib/log.ts'

function logged() {
  const lines: any[] = []
  return { lines, log: createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) }) }
}

test('the longest stall is kept for five minutes, and reading it does not reset it', () => {
  let nowMs = 0
  const stalls = countStalls(() => nowMs)
  const at = (ms: number) => {
    nowMs = ms
    return stalls.longestSeconds()
  }
  assert.equal(at(0), 0)
  stalls.note(4000)
  nowMs = 60_000
  stalls.note(500)
  nowMs = 120_000
  stalls.note(1500)
  assert.deepEqual([at(121_000), at(300_000), at(300_001), at(420_000), at(420_001)], [4, 4, 1.5, 1.5, 0])
  assert.equal(stalls.totalSeconds(), 6)
})

test('a stall is counted from 0.1 s, and logged from one second on, with its processor time', () => {
  const { lines, log } = logged()
  const now = { ms: 0, processorMs: 0 }
  const stalls = countStalls(() => now.ms)
  const beat = stallCheck(log, stalls, () => ({ ...now }))
  const beatAfter = (ms: number, processorMs: number) => {
    now.ms += ms
    now.processorMs += processorMs
    beat()
    return stalls.totalSeconds()
  }
  assert.deepEqual([beatAfter(100, 5), beatAfter(199, 5), lines], [0, 0, []])
  assert.deepEqual([beatAfter(200, 5), beatAfter(1099, 5), lines], [0.1, 1.099, []])
  assert.deepEqual([beatAfter(2600, 2400), beatAfter(100, 5)], [3.599, 3.599])
  const message = 'the process stood still: no call was answered'
  assert.partialDeepStrictEqual(lines, [{ level: 40, stalledMs: 2500, processorMs: 2400, msg: message }])
  assert.equal(lines.length, 1)
})

test('the lack of file descriptors is logged once a minute, and nothing else is', () => {
  const { lines, log } = logged()
  let nowMs = 0
  let code: string | undefined
  const look = descriptorCheck(
    log,
    () => nowMs,
    () => {
      if (code !== undefined) throw Object.assign(new Error(code), { code })
    },
  )
  const countAfterMinute = (next?: string) => {
    code = next
    for (const endMs = nowMs + 60_000; nowMs < endMs; nowMs += 1000) look()
    return lines.length
  }
  assert.deepEqual([undefined, 'EACCES', 'EMFILE', 'ENFILE', undefined].map(countAfterMinute), [0, 0, 1, 2, 2])
  assert.deepEqual(
    lines.map((line) => line.code),
    ['EMFILE', 'ENFILE'],
  )
})
