/** Loads the page's texts: NAME.json in this folder, by the user's choice, else by the browser, else in English. Only that one is loaded. */
import { type Catalog, currentCatalog, setCatalog } from './catalog.ts'
import { chooseLanguage } from './choose-language.ts'

const ADDRESSES = import.meta.glob<string>('./*.json', { query: '?url', import: 'default', eager: true })
const addressOf = (language: string): string => ADDRESSES[`./${language}.json`] ?? ''

/** Codes of the languages that have a catalog. */
export const LANGUAGES: readonly string[] = Object.keys(ADDRESSES).map((path) => path.slice(2, -'.json'.length))

/** Loads the catalog of the chosen language, if there is one, or of the best one for the browser. */
export async function loadCatalog(chosen: string): Promise<void> {
  const language = chooseLanguage([chosen, ...(navigator.languages ?? [])], LANGUAGES)
  const answer = await fetch(addressOf(language))
  if (!answer.ok) throw new Error(`The texts of the page could not be loaded: ${answer.status}`)
  setCatalog(language, (await answer.json()) as Catalog)
}

/** The address of the catalog in use, which the service worker keeps. */
export const catalogAddress = (): string => addressOf(currentCatalog().language)
