import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** @returns the script in one piece, and its modules, whose licence notices are shipped */
export async function bundleScript(root: string, entry: string): Promise<{ code: string; modules: readonly string[] }> {
  const bundle = await rolldown({
    cwd: root,
    input: entry,
    platform: 'browser',
    tsconfig: join(root, 'web/tsconfig.json'),
    transform: { target: 'es2023' },
  })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  const [{ code, moduleIds }] = output
  return { code, modules: moduleIds }
}
