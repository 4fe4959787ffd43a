/** Chooses among the page's languages, and the locale of dates and numbers in it. */

/** The first wanted language that is available in the same script: de-AT is de, and zh-CN is zh-Hans, but zh-TW is not. */
export function chooseLanguage(wanted: readonly string[], available: readonly string[]): string {
  for (const name of wanted) {
    const locale = canonicalLocale(name)
    const found = available.includes(locale ?? '') ? locale : available.find((language) => isSame(language, locale))
    if (found) return found
  }
  return 'en'
}

/** Of the browser's locales the first one in that language, such as de-AT for de. */
export function localeFor(language: string, names: readonly string[]): string {
  return names.map(canonicalLocale).find((locale) => locale && isSame(language, locale)) ?? language
}

/** Browsers on machines without a configured language report en-US@posix, and Intl throws an error for such a name. */
function canonicalLocale(name: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(name.replace(/[@.].*$/, '').replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}

const isSame = (a: string, b: string | undefined): boolean => b !== undefined && scriptOf(a) === scriptOf(b)

function scriptOf(locale: string): string {
  const { language, script } = new Intl.Locale(locale).maximize()
  return `${language}-${script}`
}

const RIGHT_TO_LEFT = /^(ar|arc|dv|fa|ha|he|khw|ks|ku|ps|ur|yi)\b/
export const isRightToLeft = (language: string): boolean => RIGHT_TO_LEFT.test(language)
