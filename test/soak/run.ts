/** `npm run soak`: 20 minutes (`SOAK_MINUTES`) of faults from a seed (`SEED`) that is printed; ends with 1 where anything broken was seen. */
import { soak } from './soak.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const minutes = Number(process.env['SOAK_MINUTES'] ?? 20)
const databaseUrl = process.env['DATABASE_URL']
print(
  `A soak of ${minutes} minutes on ${databaseUrl === undefined ? 'the embedded database' : 'PostgreSQL'}, SEED=${seed}`,
)

const { counts, violations } = await soak(seed, minutes * 60_000, databaseUrl)
const rows = [...counts].toSorted(([one], [other]) => one.localeCompare(other))
for (const [what, times] of rows) print(`${String(times).padStart(10)}  ${what}`)
print(`${String(violations.length).padStart(10)}  broken invariants`)
for (const violation of violations) print(`            ${violation}`)
process.exitCode = violations.length === 0 ? 0 : 1
