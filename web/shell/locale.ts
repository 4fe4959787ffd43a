/**
 * The language in which dates and numbers are written: the first of the reader's that Intl knows how to read. Browsers on machines
 * without a language call it en-US@posix, and Intl throws at such a name, which would leave an empty page.
 */
export function localeOf(names: readonly string[]): string {
  for (const name of names) {
    const plain = name.replace(/[@.].*$/, '').replaceAll('_', '-')
    try {
      const [known] = Intl.getCanonicalLocales(plain)
      if (known) return known
    } catch {
      // the next one may do
    }
  }
  return 'en'
}

export const LOCALE = localeOf([navigator.language ?? '', ...(navigator.languages ?? [])])

// The library that draws curves asks the browser itself.
if (navigator.language !== LOCALE) Object.defineProperty(navigator, 'language', { value: LOCALE, configurable: true })
