/**
 * Microdata: itemprop attributes. A property belongs to the innermost enclosing itemscope; properties of other things on the
 * page (comments, related articles, the site itself) are ignored.
 */
import { type Page, type PageNode, textInside } from '../page/page-node.ts'

export interface Microdata {
  /** The values of this property for the article, or for a page without item types, in order. */
  all(property: string): string[]
}

export function readMicrodata({ nodes, marked }: Page): Microdata {
  const found = new Map<string, string[]>()
  const scopes = marked.length > 0 ? scopesOf(nodes) : NO_SCOPES
  for (const i of marked) {
    const { attributes, parent } = nodes[i]!
    const scope = scopes[parent]!
    if (scope > 0 && OTHER_THINGS.test(nodes[scope]!.attributes.itemtype ?? '')) continue
    for (const property of attributes.itemprop!.toLowerCase().split(/\s+/, 5)) {
      if (!WANTED.has(property)) continue
      const values = found.get(property) ?? []
      if (values.length < MAX_VALUES) found.set(property, [...values, statedBy(nodes, i)])
    }
  }
  return { all: (property) => (found.get(property) ?? []).filter((value) => value !== '') }
}

const WANTED: ReadonlySet<string> = new Set(
  'author creator datepublished datecreated datemodified headline name image articlesection keywords inlanguage'.split(
    ' ',
  ),
)
const MAX_VALUES = 20
const OTHER_THINGS =
  /Comment|WebSite|Organization|Person|Rating|BreadcrumbList|ListItem|ImageObject|VideoObject|Offer|WPHeader|WPFooter|SiteNavigation/

const NO_SCOPES = new Int32Array(0)

function scopesOf(nodes: readonly PageNode[]): Int32Array {
  const scopes = new Int32Array(nodes.length)
  for (let i = 1; i < nodes.length; i++) {
    const { attributes, parent } = nodes[i]!
    scopes[i] = attributes.itemscope === undefined ? scopes[parent]! : i
  }
  return scopes
}

function statedBy(nodes: readonly PageNode[], index: number): string {
  const { attributes, end } = nodes[index]!
  const stated = attributes.content ?? attributes.datetime
  if (stated) return stated.trim()
  // a person's element may contain a portrait and a biography; the name is marked inside it
  const last = Math.min(end, index + 60)
  for (let i = index + 1; i < last; i++) {
    const inner = nodes[i]!.attributes
    if (inner.itemprop === 'name') return inner.content ?? textInside(nodes, i, 200)
  }
  return textInside(nodes, index, 300) || attributes.src || ''
}
