/**
 * The locale for dates and numbers: the first of the browser's languages that Intl accepts. Browsers on machines without a configured
 * language report en-US@posix, and Intl throws an error for such a name, which would leave an empty page.
 */
export function localeOf(names: readonly string[]): string {
  for (const name of names) {
    const plain = name.replace(/[@.].*$/, '').replaceAll('_', '-')
    try {
      const [locale] = Intl.getCanonicalLocales(plain)
      if (locale) return locale
    } catch {
      // try the next one
    }
  }
  return 'en'
}

export const LOCALE = localeOf([navigator.language ?? '', ...(navigator.languages ?? [])])

// uPlot reads the browser's language itself.
if (navigator.language !== LOCALE) Object.defineProperty(navigator, 'language', { value: LOCALE, configurable: true })
