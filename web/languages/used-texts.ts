/** For tests: which texts the sources of the page mention, directly or through a constant of a section. */
const PATH = String.raw`((?:\??\.[\w$]+)*)`
const ALIAS = new RegExp(String.raw`const (\w+) = (\w+)${PATH}\s*$`, 'gm')
const PARTS = new RegExp(String.raw`const \{ ([\w, :]+) \} = (\w+)${PATH}\s*$`, 'gm')

/** A text is used if it or a section that contains it is mentioned, other than to define a constant. */
export function usedTexts(sources: readonly string[]): (key: string) => boolean {
  const mentioned = new Set(sources.flatMap(pathsIn))
  return (key) => {
    const names = key.split('.')
    return names.some((_, i) => mentioned.has(names.slice(0, i + 1).join('.')))
  }
}

function pathsIn(source: string): string[] {
  const constants = new Map([['words', '']])
  const define = (name: string, of: string | undefined, path: string) => {
    if (of !== undefined) constants.set(name, joined(of, path))
  }
  for (const [, name = '', of = '', path = ''] of source.matchAll(ALIAS)) define(name, constants.get(of), path)
  for (const [, names = '', of = '', path = ''] of source.matchAll(PARTS)) {
    for (const [key = '', name = key] of names.split(', ').map((one) => one.split(': '))) {
      define(name, constants.get(of), `${path}.${key}`)
    }
  }
  const uses = source.replace(ALIAS, '').replace(PARTS, '')
  const mention = new RegExp(String.raw`(?<![\w.'"-])(${[...constants.keys()].join('|')})\b${PATH}`, 'g')
  return [...uses.matchAll(mention)].map(([, name = '', path = '']) => joined(constants.get(name) ?? '', path))
}

const joined = (path: string, more: string): string => (path + more.replaceAll('?', '')).replace(/^\./, '')
