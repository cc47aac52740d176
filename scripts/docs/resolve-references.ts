/** A copy of a document with the target of each `$ref` in its place; what stands beside the `$ref` overrides it. */
export function resolveReferences<Document extends object>(document: Document): Document {
  const targetOf = (reference: string): unknown =>
    reference
      .replace('#/', '')
      .split('/')
      .reduce((value, key) => (value as Record<string, unknown>)[key], document as unknown)
  const resolved = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(resolved)
    const { $ref, ...own } = value as Record<string, unknown>
    const fields = Object.entries(own).map(([key, inner]) => [key, resolved(inner)] as const)
    const target = typeof $ref === 'string' ? (resolved(targetOf($ref)) as object) : {}
    return { ...target, ...Object.fromEntries(fields) }
  }
  return resolved(document) as Document
}
