/** Connections are judged by error codes, because messages come in the server's language. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseError } from 'pg'
import { keepsConnectionUsable } from '../../../src/database/postgres/errors.ts'

const errorOf = (code: string, severity: string) =>
  Object.assign(new DatabaseError('no', 0, 'error'), { code, severity })

test('a rejected statement leaves its connection usable, in any server language, so that it can be retried', () => {
  for (const severity of ['ERROR', 'FEHLER', 'ERREUR', 'EROARE']) {
    for (const code of ['40001', '40P01', '55P03', '23505', '53100', '57014', '22021', '42P01']) {
      assert.ok(keepsConnectionUsable(errorOf(code, severity)), `${code} ${severity}`)
    }
  }
})

test('a connection that the server ends, or whose server is read-only, is not reused', () => {
  for (const code of [
    '57P01',
    '57P02',
    '57P03',
    '57P05',
    '08006',
    '08P01',
    '53300',
    '25P03',
    '25P04',
    '25006',
    'XX000',
  ]) {
    assert.ok(!keepsConnectionUsable(errorOf(code, 'FATAL')), code)
  }
  assert.ok(!keepsConnectionUsable(new Error('Query read timeout')))
  assert.ok(!keepsConnectionUsable(undefined))
})
