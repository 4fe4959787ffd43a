/** Finds the elements of a page that match a selector, in one pass: time is the number of nodes times the length of the selector. */
import type { PageNode } from '../page/page-node.ts'
import type { AttributeTest, Compound, Selector } from './parse-selector.ts'

/** Marks the matching elements with everything inside them; `count` does not count matches inside a match. */
export function matchSelectors(
  nodes: readonly PageNode[],
  selectors: readonly Selector[],
): { inside: Uint8Array; count: number } {
  const matching = new Uint8Array(nodes.length)
  for (const selector of selectors) markMatching(nodes, selector, matching)
  const inside = new Uint8Array(nodes.length)
  let count = 0
  for (let i = 0; i < nodes.length; i++) {
    if (matching[i] === 0) continue
    inside.fill(1, i, nodes[i]!.end)
    count++
    i = nodes[i]!.end - 1
  }
  return { inside, count }
}

/** Bit `n` of a node: the first n + 1 compounds match, the last of them this node (`here`), or one around or equal to it (`around`). */
function markMatching(nodes: readonly PageNode[], selector: Selector, matching: Uint8Array): void {
  const here = new Uint32Array(nodes.length)
  const around = new Uint32Array(nodes.length)
  const whole = 1 << (selector.length - 1)
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!
    if (node.name === '') continue
    const parentHere = i === 0 ? 0 : here[node.parent]!
    const parentAround = i === 0 ? 0 : around[node.parent]!
    let bits = 0
    for (let n = 0; n < selector.length; n++) {
      const compound = selector[n]!
      const before = compound.isChild ? parentHere : parentAround
      if ((n === 0 || (before & (1 << (n - 1))) !== 0) && matches(node, compound)) bits |= 1 << n
    }
    here[i] = bits
    around[i] = parentAround | bits
    if ((bits & whole) !== 0) matching[i] = 1
  }
}

function matches({ name, attributes }: PageNode, compound: Compound): boolean {
  if (compound.name !== undefined && compound.name !== name) return false
  return compound.attributes.every((test) => passes(attributes[test.key], test))
}

function passes(actual: string | undefined, { operator, value }: AttributeTest): boolean {
  if (actual === undefined) return false
  switch (operator) {
    case 'exists':
      return true
    case '=':
      return actual === value
    case '~=':
      return value !== '' && actual.split(/\s+/).includes(value)
    case '^=':
      return value !== '' && actual.startsWith(value)
    case '$=':
      return value !== '' && actual.endsWith(value)
    case '*=':
      return value !== '' && actual.includes(value)
  }
}
