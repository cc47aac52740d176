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

/** The overview of the API reference, generated from openapi.json; the pages of its resources are below it. */
export const REFERENCE = '/docs/api'

/** Also the group of all pages that the navigation does not list. */
export const BACKGROUND = 'Background'

export type NavigationGroup = Readonly<{
  title: string
  pages: readonly (readonly [path: string, title: string])[]
}>

/**
 * The most important pages, in reading order: for developers who integrate, then for operators.
 * @param reference the pages of the API reference
 */
export function navigationOf(reference: NavigationGroup['pages']): readonly NavigationGroup[] {
  return [
    {
      title: 'Start',
      pages: [
        ['/docs/quick-start', 'Quick start'],
        ['/docs/concepts', 'Concepts'],
        ['/docs/programs', 'Programs and agents'],
        ['/docs/agents', 'Assistants (MCP)'],
        ['/docs/client', 'TypeScript client'],
      ],
    },
    { title: 'API reference', pages: [...reference, ['/docs/errors', 'Errors'], ['/docs/examples', 'Examples']] },
    {
      title: 'Guides',
      pages: [
        ['/docs/magic-link', 'Sign-in by magic link'],
        ['/docs/google', 'Sign-in with Google'],
        ['/docs/keys', 'Handling API keys'],
        ['/docs/revocation', 'Revocation'],
        ['/docs/frontend', 'Your own frontend'],
        ['/docs/behind-the-gate', 'Behind the gate'],
      ],
    },
    {
      title: 'For operators',
      pages: [
        ['/docs/operations', 'Operations'],
        ['/docs/settings', 'Settings'],
        ['/docs/gateways', 'Gateway configuration'],
        ['/docs/upgrading', 'Upgrading'],
        ['/docs/retention', 'Retention'],
        ['/docs/performance', 'Performance'],
        ['/docs/security', 'Security'],
      ],
    },
    {
      title: BACKGROUND,
      pages: [
        ['/docs/specification', 'Specification'],
        ['/docs/architecture', 'Architecture'],
        ['/docs/decisions', 'Decisions'],
        ['/docs/changelog', 'Changes'],
      ],
    },
  ]
}

/** All pages that are files. @param root the repository */
export function pagesIn(root: string): readonly Page[] {
  const inDocs = globSync('docs/**/*.md', { cwd: root })
  return [...new Set([...inDocs, ...Object.keys(elsewhere)])].toSorted().map((source) => ({
    source,
    path: pathOf(source) ?? '',
  }))
}

function pathOf(file: string): string | undefined {
  return elsewhere[file] ?? (/^docs\/.*\.md$/.test(file) ? `/${file.replace(/\.md$/, '')}` : undefined)
}

/** The served path of a file; undefined: not served. For openapi.json, the API reference. */
export function addressOf(file: string, form: 'html' | 'md'): string | undefined {
  const path = file === 'openapi.json' ? REFERENCE : pathOf(file)
  if (path !== undefined) return form === 'md' ? `${path}.md` : path
  return isConfiguration(file) ? `/docs/${file}` : undefined
}

/** Configuration files that pages link for download: `deploy/` and the compose file. */
export function isConfiguration(file: string): boolean {
  return /^(deploy\/[\w.-]+\.(Caddyfile|cfg|conf|env|lua|service|timer|yml)|compose\.yaml)$/.test(file)
}
