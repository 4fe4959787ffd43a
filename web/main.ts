/** The entry point of the page: loads the texts of its language, then the page. */
import { currentCatalog } from './languages/catalog.ts'
import { isRightToLeft } from './languages/choose-language.ts'
import { catalogAddress, loadCatalog } from './languages/load-catalog.ts'
import { registerServiceWorker } from './shell/offline.ts'
import { preferences } from './shell/preferences.svelte.ts'
import './style/tokens.css'
import './style/base.css'
import './style/prose.css'

const RETRY_MS = 3000

async function start(): Promise<void> {
  try {
    await loadCatalog(preferences.current.language)
  } catch {
    setTimeout(() => void start(), RETRY_MS) // there is no text yet that could tell the user
    return
  }
  const { language } = currentCatalog()
  document.documentElement.lang = language
  document.documentElement.dir = isRightToLeft(language) ? 'rtl' : 'ltr'
  const { startPage } = await import('./start-page.ts')
  startPage()
  registerServiceWorker(catalogAddress())
}

void start()
