import { DatabaseSync } from 'node:sqlite'

export function schemaOf(file: string) {
  const reader = new DatabaseSync(file, { readOnly: true })
  const schema = reader.prepare('select type, name, sql from sqlite_schema order by name').all()
  const hasMigrations = schema.some(({ name }) => name === 'kysely_migration')
  const applied = hasMigrations ? reader.prepare('select * from kysely_migration order by name').all() : []
  reader.close()
  return { schema, applied }
}
