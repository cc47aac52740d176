/** Leaves the words of one language in the bundle: replaces `inLanguage({ en, ro })` with the value of that language. */
import type { Plugin, Rolldown } from 'vite'
import type { Language } from './src/language.ts'

type Node = Readonly<{ type: string; start: number; end: number }> & Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const child of Object.values(node).flat()) if (isNode(child)) yield* nodesIn(child)
}

const isCall = ({ type, callee }: Node): boolean =>
  type === 'CallExpression' && isNode(callee) && callee['name'] === 'inLanguage'

function wordsOf(call: Node, language: Language): Node | undefined {
  const [words] = call['arguments'] as readonly Node[]
  const properties = words?.type === 'ObjectExpression' ? (words['properties'] as readonly Node[]) : []
  return properties.find(({ key }) => isNode(key) && key['name'] === language)?.['value'] as Node | undefined
}

export function oneLanguage(language: Language): Plugin {
  return {
    name: 'one-language',
    transform: {
      filter: { id: /\.tsx?$/, code: 'inLanguage(' },
      // After Vite's own plugins, which have removed the types.
      handler(this: Rolldown.TransformPluginContext, code) {
        let reduced = code
        const calls = [...nodesIn(this.parse(code) as unknown as Node)].filter(isCall)
        for (const call of calls.toReversed()) {
          const words = wordsOf(call, language)
          if (words === undefined) this.error('inLanguage takes an object literal with en and ro', call.start)
          reduced = `${reduced.slice(0, call.start)}(${code.slice(words.start, words.end)})${reduced.slice(call.end)}`
        }
        return { code: reduced, map: null }
      },
    },
  }
}
