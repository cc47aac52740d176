/** Third-party packages in the bundle, and their licence notices, which licences require to ship with the code. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type BundledPackage = Readonly<{ name: string; version: string; license: string; notice: string }>

type Manifest = Readonly<{
  name?: string
  version?: string
  license?: string
  author?: string | Readonly<{ name: string }>
}>

/**
 * The packages of these modules, each name and version once.
 * @param modules file paths as the bundler reports them; files outside of node_modules are ours
 * @throws when a package declares no licence, or ships no text of it
 */
export function packagesOf(modules: Iterable<string>): BundledPackage[] {
  // Virtual modules of the bundler begin with a zero byte; a query may follow the path.
  const paths = [...modules].map((id) => id.replace(/^\0|\?.*$/g, '')).filter((id) => id.includes('/node_modules/'))
  const folders = Map.groupBy(paths, folderOf)
  const found = [...folders].map(([folder, files]) => read(folder, files))
  const packages = new Map(found.map((one) => [`${one.name}@${one.version}`, one]))
  return [...packages].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

// Not the nearest manifest: packages may contain nested ones without name or version, which only set the module type.
function folderOf(path: string): string {
  const [folder = ''] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []
  return folder
}

function read(folder: string, modules: readonly string[]): BundledPackage {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const { name, version, license } = manifest
  if (name === undefined || version === undefined || license === undefined)
    throw new Error(`${folder} has no name, version or licence in its package.json`)
  const files = readdirSync(folder)
  const text = (file: string) => readFileSync(join(folder, file), 'utf8').trim()
  const notices = files
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .toSorted()
    .map(text)
  const readme = files.find((file) => /^readme/i.test(file))
  const [inReadme] =
    /Copyright \(c\)[^]*Permission is hereby granted[^]*/.exec(readme === undefined ? '' : text(readme)) ?? []
  if (notices.length === 0 && inReadme !== undefined) notices.push(inReadme)
  if (notices.length === 0 && license === 'MIT') notices.push(`Copyright ${authorOf(manifest)}\n\n${MIT}`)
  if (notices.length === 0) throw new Error(`${name} ${version} (${license}) ships no text of its licence`)
  const credits = new Set(modules.map(creditOf).filter((credit) => credit !== ''))
  return { name, version, license, notice: [...notices, ...credits].join('\n\n') }
}

// Some packages credit copied code in a comment at the top of a file, which the bundler drops.
function creditOf(path: string): string {
  const onTop = readFileSync(path, 'utf8').slice(0, 3000)
  const [credit = ''] =
    /\/\*(?:(?!\*\/)[^])*copyright[^]*?\*\/|(?:\/\/.*\n)*\/\/.*copyright.*\n(?:\/\/.*\n)*/i.exec(onTop) ?? []
  return credit.trim()
}

// A few packages declare the MIT licence without its text.
function authorOf({ name, author }: Manifest): string {
  return typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`)
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

export function noticesOf(packages: readonly BundledPackage[]): string {
  const texts = packages.map(({ name, version, license, notice }) => `${name} ${version} (${license})\n\n${notice}\n`)
  return ['The code in this folder contains parts of these packages.\n', ...texts].join(`\n${'-'.repeat(78)}\n\n`)
}

/** CycloneDX 1.6, for vulnerability scanners; reproducible, so without timestamps or serial numbers. */
export function billOfMaterials(name: string, version: string, packages: readonly BundledPackage[]): string {
  return `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: { type: 'application', name, version } },
      components: packages.map((found) => ({
        type: 'library',
        'bom-ref': purl(found),
        name: found.name,
        version: found.version,
        licenses: [{ expression: found.license }],
        purl: purl(found),
      })),
    },
    null,
    2,
  )}\n`
}

// github.com/package-url/purl-spec, npm: the scope's @ is written %40.
function purl({ name, version }: BundledPackage): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}
