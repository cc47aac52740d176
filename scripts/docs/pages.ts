import { globSync } from 'node:fs'

/** A Markdown file of the repository, and its served path. */
export type Page = Readonly<{ source: string; path: string }>

/** Pages outside of docs/, and an index page that is named after its folder. */
const elsewhere: Readonly<Record<string, string>> = {
  'ARCHITECTURE.md': '/docs/architecture',
  'CHANGELOG.md': '/docs/changelog',
  'CONTRIBUTING.md': '/docs/contributing',
  'SECURITY.md': '/docs/reporting',
  'docs/decisions/README.md': '/docs/decisions',
  'sdk/README.md': '/docs/client',
}

/** The API reference, generated from openapi.json. */
export const REFERENCE = '/docs'

/** The most important pages, in reading order. */
export const navigation: readonly Readonly<{
  title: string
  pages: readonly (readonly [path: string, title: string])[]
}>[] = [
  {
    title: 'Begin',
    pages: [
      ['/docs/quick-start', 'Quick start'],
      ['/docs/concepts', 'Concepts'],
      [REFERENCE, 'API reference'],
      ['/docs/examples', 'Examples'],
      ['/docs/errors', 'Errors'],
    ],
  },
  {
    title: 'Ways in',
    pages: [
      ['/docs/magic-link', 'Magic link'],
      ['/docs/google', 'Google'],
      ['/docs/programs', 'Programs and agents'],
    ],
  },
  {
    title: 'Build',
    pages: [
      ['/docs/keys', 'API keys'],
      ['/docs/revocation', 'Revocation'],
      ['/docs/frontend', 'Your own frontend'],
      ['/docs/client', 'TypeScript client'],
      ['/docs/gateways', 'Gateways'],
      ['/docs/behind-the-gate', 'Behind the gate'],
    ],
  },
  {
    title: 'Run',
    pages: [
      ['/docs/settings', 'Settings'],
      ['/docs/operations', 'Operations'],
      ['/docs/retention', 'Retention'],
      ['/docs/upgrading', 'Upgrading'],
      ['/docs/performance', 'Performance'],
    ],
  },
  {
    title: 'Know why',
    pages: [
      ['/docs/security', 'Security'],
      ['/docs/decisions', 'Decisions'],
      ['/docs/specification', 'Specification'],
      ['/docs/architecture', 'Architecture'],
      ['/docs/changelog', 'Changes'],
    ],
  },
]

/** All pages that are files. @param root the repository */
export function pagesIn(root: string): readonly Page[] {
  const inDocs = globSync('docs/**/*.md', { cwd: root })
  return [...new Set([...inDocs, ...Object.keys(elsewhere)])].toSorted().map((source) => ({
    source,
    path: elsewhere[source] ?? `/${source.replace(/\.md$/, '')}`,
  }))
}

/** The served path of a file; undefined: not served. For openapi.json, the API reference. */
export function addressOf(file: string, form: 'html' | 'md'): string | undefined {
  const path =
    file === 'openapi.json'
      ? REFERENCE
      : (elsewhere[file] ?? (/^docs\/.*\.md$/.test(file) ? `/${file.replace(/\.md$/, '')}` : undefined))
  if (path !== undefined) return form === 'md' ? `${path}.md` : path
  return isConfiguration(file) ? `/docs/${file}` : undefined
}

/** Configuration files that pages link for download: `deploy/` and the compose file. */
export function isConfiguration(file: string): boolean {
  return /^(deploy\/[\w.-]+\.(Caddyfile|cfg|conf|env|lua|service|timer|yml)|compose\.yaml)$/.test(file)
}
