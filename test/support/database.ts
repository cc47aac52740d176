/** A database of a test's own: a file, or, where the tests run on PostgreSQL, one of the cluster's databases. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** The cluster that the tests run on; none: each test has a file. */
export const clusterUrl = process.env['TEST_POSTGRES_URL'] || undefined

/** A database, by what `DATABASE_URL` says of it. */
export type TestDatabase = Readonly<{ url: string; remove(): Promise<void> }>

/** An empty one; in a folder that the test removes, or in the cluster. */
export async function newDatabase(folder: string): Promise<TestDatabase> {
  if (clusterUrl === undefined) return { url: `sqlite:${folder}/paylink-auth.db`, remove: async () => {} }
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(`create database ${name}`)
  const url = new URL(clusterUrl)
  url.pathname = `/${name}`
  return { url: url.href, remove: () => administer(`drop database ${name} with (force)`) }
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: clusterUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
