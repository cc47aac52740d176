/**
 * Runs scripts of package.json at once: `in-parallel.ts SCRIPT…`. The last one writes to the terminal as it runs; what
 * the others wrote follows at the end. Fails when one of them does.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

async function run(name: string, isShown: boolean) {
  const child = spawn('npm', ['run', '-s', name], { stdio: ['ignore', isShown ? 'inherit' : 'pipe', 'inherit'] })
  const output = child.stdout === null ? '' : text(child.stdout)
  const [code] = (await once(child, 'close')) as [number | null]
  return { name, isDone: code === 0, output: await output }
}

const names = process.argv.slice(2)
const results = await Promise.all(names.map((name, index) => run(name, index === names.length - 1)))
for (const { name, isDone, output } of results) {
  process.stdout.write(output)
  if (isDone) continue
  console.error(`npm run ${name} failed`)
  process.exitCode = 1
}
