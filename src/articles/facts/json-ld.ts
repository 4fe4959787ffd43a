/**
 * schema.org data in scripts. One in twenty is invalid (newlines in strings, extra commas, cut off), so it is repaired and
 * parsed again. All objects are collected in one flat list; references by @id are resolved.
 */
import { parseScriptJson } from './lenient-json.ts'

export type JsonLdObject = { readonly [key: string]: unknown }

export interface LinkedData {
  /** The article of the page. */
  article: JsonLdObject | undefined
  /** All objects, in order. */
  nodes: JsonLdObject[]
  /** The objects in a value, or referenced by it; strings become objects with that name. */
  objectsIn(value: unknown): JsonLdObject[]
}

const MAX_NODES = 5_000
const MAX_DEPTH = 12

export function readJsonLd(scripts: readonly string[], isThisPage: (url: string) => boolean): LinkedData {
  const nodes: JsonLdObject[] = []
  for (const script of scripts) flatten(parseScriptJson(script), nodes)
  const byId = new Map<string, JsonLdObject>()
  for (const node of nodes) {
    const id = node['@id']
    if (typeof id === 'string' && Object.keys(node).length > 1 && !byId.has(id)) byId.set(id, node)
  }
  const objectsIn = (value: unknown): JsonLdObject[] => {
    const list = Array.isArray(value) ? value.slice(0, 100) : [value]
    return list.flatMap((item) => {
      if (typeof item === 'string') return [{ name: item }]
      if (!isNode(item)) return []
      const id = item['@id']
      const referenced = typeof id === 'string' && item.name === undefined ? byId.get(id) : undefined
      return [referenced ?? item]
    })
  }
  return { article: bestArticle(nodes, isThisPage), nodes, objectsIn }
}

function flatten(root: unknown, nodes: JsonLdObject[]): void {
  const open: [unknown, number][] = [[root, 0]]
  while (open.length > 0 && nodes.length < MAX_NODES) {
    const [value, depth] = open.pop()!
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) continue
    if (!Array.isArray(value)) nodes.push(value as JsonLdObject)
    const inside = Object.values(value)
    for (let i = Math.min(inside.length, MAX_NODES) - 1; i >= 0; i--) {
      if (typeof inside[i] === 'object') open.push([inside[i], depth + 1])
    }
  }
}

function bestArticle(nodes: readonly JsonLdObject[], isThisPage: (url: string) => boolean): JsonLdObject | undefined {
  let best: JsonLdObject | undefined
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

export function typeOf(node: JsonLdObject): string {
  const type = node['@type']
  const types = Array.isArray(type) ? type : [type]
  return types.filter((item) => typeof item === 'string').join(' ')
}

function addressesOf(node: JsonLdObject): string[] {
  const page = node.mainEntityOfPage
  const whole = isNode(page) ? page['@id'] : page
  return [node.url, node['@id'], whole].filter((url): url is string => typeof url === 'string')
}

function isNode(value: unknown): value is JsonLdObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
