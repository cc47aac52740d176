/** Syncs of the write-ahead log are shared, and nothing is acknowledged after one has failed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseLostError, LogSync } from '../../../../src/database/sqlite/log/log-sync.ts'

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

function startable() {
  const syncs: PromiseWithResolvers<void>[] = []
  const lost: DatabaseLostError[] = []
  const sync = () => {
    const started = Promise.withResolvers<void>()
    syncs.push(started)
    return started.promise
  }
  return { syncs, lost, log: new LogSync(sync, (error) => void lost.push(error)) }
}

test('commits of one turn share a sync; those during it share the next, which begins after it', async () => {
  const { syncs, log } = startable()
  const done: string[] = []
  const commit = (name: string) => log.synced(false).then(() => void done.push(name))
  const first = [commit('a'), commit('b')]
  await turn()
  const second = [commit('c'), commit('d')]
  await turn()
  assert.equal(syncs.length, 1)
  syncs[0]?.resolve()
  await Promise.all(first)
  await turn()
  assert.deepEqual([done, syncs.length], [['a', 'b'], 2])
  syncs[1]?.resolve()
  await Promise.all(second)
  assert.deepEqual([done, syncs.length], [['a', 'b', 'c', 'd'], 2])
})

test('after a failed sync no other begins, every commit is refused, and the loss is reported once', async () => {
  const { syncs, lost, log } = startable()
  const refused = [log.synced(false)]
  await turn()
  refused.push(log.synced(false))
  syncs[0]?.reject(new Error('EIO'))
  refused.push(log.synced(false))
  for (const commit of refused) await assert.rejects(commit, DatabaseLostError)
  await assert.rejects(log.synced(false), DatabaseLostError)
  assert.throws(() => log.refuseAfterFailure(), DatabaseLostError)
  assert.deepEqual([syncs.length, lost.length], [1, 1])
})

test('a sync during which a checkpoint failed acknowledges nothing', async () => {
  const { syncs, lost, log } = startable()
  const refused = log.synced(false)
  await turn()
  log.fail(new DatabaseLostError('the database could not be synced', new Error('EIO')))
  syncs[0]?.resolve()
  await assert.rejects(refused, DatabaseLostError)
  assert.equal(lost.length, 1)
})

test('a commit is pending exactly until it is on disk, and a later one delays it no longer', async () => {
  const { syncs, log } = startable()
  assert.deepEqual([log.commits, log.pending(0)], [0, undefined])
  const first = log.synced(false)
  await turn()
  const second = log.synced(false)
  assert.equal(log.commits, 2)
  const durable: string[] = []
  const until = async (name: string, commits: number) => {
    await log.pending(commits)
    durable.push(name)
  }
  const pending = [until('one', 1), until('both', 2)]
  syncs[0]?.resolve()
  await first
  await turn()
  assert.deepEqual([durable, log.pending(1)], [['one'], undefined])
  syncs[1]?.resolve()
  await second
  await Promise.all(pending)
  assert.deepEqual([durable, log.pending(2)], [['one', 'both'], undefined])
})

test('a raised token version is pending until its commit is on disk; other commits are not, before or after it', async () => {
  const { syncs, log } = startable()
  const commits = [log.synced(false)]
  await turn()
  assert.equal(log.pendingAccess(), undefined)
  commits.push(log.synced(true), log.synced(false))
  assert.notEqual(log.pendingAccess(), undefined)
  syncs[0]?.resolve()
  await commits[0]
  await turn()
  assert.notEqual(log.pendingAccess(), undefined)
  syncs[1]?.resolve()
  await Promise.all(commits)
  commits.push(log.synced(false))
  assert.deepEqual([log.pendingAccess(), log.pending(log.commits) === undefined], [undefined, false])
})
