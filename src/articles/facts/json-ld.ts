/**
 * schema.org data in scripts. One in twenty is invalid (newlines in strings, extra commas, cut off), so it is repaired and
 * parsed again. All objects are collected in one flat list; references by @id are resolved.
 */
import { parseScriptJson } from './lenient-json.ts'

export type Node = { readonly [key: string]: unknown }

export interface LinkedData {
  /** The article of the page. */
  article: Node | undefined
  /** All objects, in order. */
  nodes: Node[]
  /** The objects in a value, or referenced by it; strings become objects with that name. */
  things(value: unknown): Node[]
}

const MAX_NODES = 5_000
const MAX_DEPTH = 12

export function readJsonLd(scripts: readonly string[], isThisPage: (url: string) => boolean): LinkedData {
  const nodes: Node[] = []
  for (const script of scripts) layOut(parseScriptJson(script), nodes)
  const byId = new Map<string, Node>()
  for (const node of nodes) {
    const id = node['@id']
    if (typeof id === 'string' && Object.keys(node).length > 1 && !byId.has(id)) byId.set(id, node)
  }
  const things = (value: unknown): Node[] => {
    const list = Array.isArray(value) ? value.slice(0, 100) : [value]
    return list.flatMap((one) => {
      if (typeof one === 'string') return [{ name: one }]
      if (!isNode(one)) return []
      const id = one['@id']
      const meant = typeof id === 'string' && one.name === undefined ? byId.get(id) : undefined
      return [meant ?? one]
    })
  }
  return { article: bestArticle(nodes, isThisPage), nodes, things }
}

function layOut(root: unknown, nodes: Node[]): void {
  const open: [unknown, number][] = [[root, 0]]
  while (open.length > 0 && nodes.length < MAX_NODES) {
    const [value, depth] = open.pop()!
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) continue
    if (!Array.isArray(value)) nodes.push(value as Node)
    const inside = Object.values(value)
    for (let i = Math.min(inside.length, MAX_NODES) - 1; i >= 0; i--) {
      if (typeof inside[i] === 'object') open.push([inside[i], depth + 1])
    }
  }
}

function bestArticle(nodes: readonly Node[], isThisPage: (url: string) => boolean): Node | undefined {
  let best: Node | undefined
  let most = 0
  for (const node of nodes) {
    if (!ARTICLES.test(typeOf(node))) continue
    let points = 1
    if (addressesOf(node).some(isThisPage)) points += 4
    if (typeof node.articleBody === 'string') points += 2
    if (node.headline !== undefined) points += 2
    if (node.datePublished !== undefined) points += 2
    if (node.author !== undefined) points += 1
    if (points > most) {
      best = node
      most = points
    }
  }
  return best
}

const ARTICLES =
  /Article|Posting|Report|Review(?!Rating)|Recipe|LiveBlog|HowTo(?!Step|Section|Tool|Supply)|CreativeWork$/

export function typeOf(node: Node): string {
  const type = node['@type']
  const types = Array.isArray(type) ? type : [type]
  return types.filter((one) => typeof one === 'string').join(' ')
}

function addressesOf(node: Node): string[] {
  const page = node.mainEntityOfPage
  const whole = isNode(page) ? page['@id'] : page
  return [node.url, node['@id'], whole].filter((url): url is string => typeof url === 'string')
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
