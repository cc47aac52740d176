/**
 * Keeps the app's own words such as "e-mail" and "sign-in" on one line. CSS cannot, and with no-break hyphens in the
 * words people would neither find nor copy them.
 */
import { Fragment, h, options } from 'preact'
import type { ComponentChild, ComponentChildren, VNode } from 'preact'

// Longer ones, for example in a name inside a sentence, may be wider than a phone. Beside a digit it is part of an id.
const HYPHENATED = /(?<![\p{L}\p{N}-])(?=[\p{L}-]{3,16}(?![\p{L}\p{N}-]))(\p{L}+(?:-\p{L}+){1,2})(?![\p{L}\p{N}-])/u
const CLASS = 'unbroken'
/** `bdi` holds the texts of people and programs. */
const verbatim: ReadonlySet<unknown> = new Set(['bdi', 'code', 'option', 'pre', 'textarea'])

export function keepWordsUnbroken(): void {
  options.vnode = (vnode: VNode<{ class?: unknown; children?: ComponentChildren }>) => {
    const { type, props } = vnode
    const hasText = (typeof type === 'string' && !verbatim.has(type) && props.class !== CLASS) || type === Fragment
    if (hasText && props.children !== undefined) {
      props.children = Array.isArray(props.children) ? props.children.map(unbroken) : unbroken(props.children)
    }
  }
}

function unbroken(child: ComponentChild): ComponentChild {
  if (typeof child !== 'string' || !HYPHENATED.test(child)) return child
  // One element, because in a flex container every part would be an item. The captured words are at odd indices.
  const parts = child.split(HYPHENATED)
  return h('span', {}, ...parts.map((part, index) => (index % 2 === 1 ? h('span', { class: CLASS }, part) : part)))
}
