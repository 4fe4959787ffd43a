/** Applies the extraction rules of a user to a page: what they remove is gone for all further steps, and their content is the text. */
import type { ExtractionRules } from '../../model/index.ts'
import type { Page } from '../page/page-node.ts'
import { readPage } from '../page/read-page.ts'
import { matchSelectors } from './match-selector.ts'
import { parseSelector, type Selector } from './parse-selector.ts'

/** Why the rules cannot be used; undefined if they can. */
export function extractionProblem({ content, remove }: ExtractionRules): string | undefined {
  for (const selector of [content, remove]) {
    const parsed = selector === undefined ? [] : parseSelector(selector)
    if ('fault' in parsed) return parsed.fault
  }
  return undefined
}

/** How many elements each selector matches on a page, removing first. */
export function countMatches(html: string, rules: ExtractionRules): { content: number; remove: number } {
  const page = readPage(html)
  const remove = matchSelectors(page.nodes, selectorsOf(rules.remove)).count
  return { remove, content: matchSelectors(page.nodes, selectorsOf(rules.content)).count }
}

/** Empties the elements, with everything inside them. */
export function removeElements(page: Page, selector: string | undefined): void {
  const { nodes } = page
  const { inside, count } = matchSelectors(nodes, selectorsOf(selector))
  if (count === 0) return
  for (let i = 0; i < nodes.length; i++)
    if (inside[i] === 1 && nodes[i]!.text !== '') nodes[i] = { ...nodes[i]!, text: '' }
  for (const list of ['titles', 'images', 'marked'] as const) page[list] = page[list].filter((i) => inside[i] === 0)
}

/** 1 for every node of the content; undefined if the page has none. */
export function contentNodes({ nodes }: Page, selector: string | undefined): Uint8Array | undefined {
  const { inside, count } = matchSelectors(nodes, selectorsOf(selector))
  return count > 0 ? inside : undefined
}

function selectorsOf(text: string | undefined): Selector[] {
  const parsed = text === undefined ? [] : parseSelector(text)
  return 'fault' in parsed ? [] : parsed
}
