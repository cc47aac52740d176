/** Which packages are in what is shipped, and their notices: a licence asks for its text to go where the code goes. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package of which a bundle holds something. */
export type BundledPackage = Readonly<{ name: string; version: string; license: string; notice: string }>

type Manifest = Readonly<{
  name?: string
  version?: string
  license?: string
  author?: string | Readonly<{ name: string }>
}>

/**
 * The packages that these modules are of, by name and version, each once.
 * @param modules paths of files, as the bundler names them; what is no file below node_modules is ours
 * @throws where a package says no licence or brings no text of it
 */
export function packagesOf(modules: Iterable<string>): BundledPackage[] {
  // What the bundler makes itself begins with a zero byte; a query may follow the path.
  const paths = [...modules].map((id) => id.replace(/^\0|\?.*$/g, '')).filter((id) => id.includes('/node_modules/'))
  const folders = Map.groupBy(paths, folderOf)
  const found = [...folders].map(([folder, files]) => read(folder, files))
  const packages = new Map(found.map((one) => [`${one.name}@${one.version}`, one]))
  return [...packages].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

// A package may have further manifests inside, without name or version, that only say how its modules are written.
function folderOf(path: string): string {
  const [folder = ''] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []
  return folder
}

function read(folder: string, modules: readonly string[]): BundledPackage {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const { name, version, license } = manifest
  if (name === undefined || version === undefined || license === undefined)
    throw new Error(`${folder} does not say what it is`)
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
  if (notices.length === 0) throw new Error(`${name} ${version} (${license}) brings no text of its licence`)
  const credits = new Set(modules.map(creditOf).filter((credit) => credit !== ''))
  return { name, version, license, notice: [...notices, ...credits].join('\n\n') }
}

// Some packages credit what they took from elsewhere in a comment on top, which the bundler leaves out.
function creditOf(path: string): string {
  const onTop = readFileSync(path, 'utf8').slice(0, 3000)
  const [credit = ''] =
    /\/\*(?:(?!\*\/)[^])*copyright[^]*?\*\/|(?:\/\/.*\n)*\/\/.*copyright.*\n(?:\/\/.*\n)*/i.exec(onTop) ?? []
  return credit.trim()
}

// A few packages name this licence and forget its text.
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

/** Name, version and licence of each, as people read them. */
export function noticesOf(packages: readonly BundledPackage[]): string {
  const texts = packages.map(({ name, version, license, notice }) => `${name} ${version} (${license})\n\n${notice}\n`)
  return ['Parts of these packages are in the code beside this file.\n', ...texts].join(`\n${'-'.repeat(78)}\n\n`)
}

/** The same for programs that look for known vulnerabilities: CycloneDX 1.6, without what would differ between two builds. */
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
