/** The language of the page's texts, and the locale of its dates and numbers. */
import { currentCatalog } from '../languages/catalog.ts'
import { isRightToLeft, localeFor } from '../languages/choose-language.ts'

export const LANGUAGE: string = currentCatalog().language
export const IS_RIGHT_TO_LEFT: boolean = isRightToLeft(LANGUAGE)
export const LOCALE: string = localeFor(LANGUAGE, [navigator.language ?? '', ...(navigator.languages ?? [])])

// uPlot reads the browser's language itself.
if (navigator.language !== LOCALE) Object.defineProperty(navigator, 'language', { value: LOCALE, configurable: true })
