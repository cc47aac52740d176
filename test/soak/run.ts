/** `npm run soak`: `SOAK_MINUTES` (20) of random faults from `SEED`; exits with 1 if an invariant broke. */
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
