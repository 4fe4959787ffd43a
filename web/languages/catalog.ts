/**
 * The catalog in use: the texts of the page in one language. The entry point sets it before it loads the page, so texts are constants
 * everywhere else.
 */
export interface Catalog {
  [key: string]: string | Catalog
}

let current: { language: string; catalog: Catalog } | undefined

export function currentCatalog(): { language: string; catalog: Catalog } {
  if (!current) throw new Error('set a catalog before the modules that show texts are loaded')
  return current
}

export function setCatalog(language: string, catalog: Catalog): void {
  current = { language, catalog }
}
