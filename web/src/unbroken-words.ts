/**
 * Keeps words such as "e-mail" and "sign-in" on one line. CSS cannot, and with no-break hyphens in the words people
 * would neither find nor copy them.
 */
import { Fragment, h, options } from 'preact'
import type { ComponentChild, ComponentChildren, VNode } from 'preact'

// Longer ones, for example in a name that a person chose, may be wider than a phone.
const HYPHENATED = /(?<![\p{L}-])(\p{L}{1,12}(?:-\p{L}{1,12}){1,2})(?![\p{L}-])/u
const CLASS = 'unbroken'
const verbatim: ReadonlySet<unknown> = new Set(['code', 'option', 'pre', 'textarea'])

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
