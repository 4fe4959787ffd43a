/** Registers the service worker, which makes loaded entries readable while the server is unreachable (public/worker.js). */

interface Policy {
  createScriptURL(text: string): string
}
interface PolicyFactory {
  createPolicy(name: string, rules: Policy): Policy
}

const WORKER = '/worker.js'
/** The cache of the page's files (public/worker.js). */
const FILES = 'freshet-files'

/** The worker keeps the page's files; of the catalogs only the one in use, which is added here. */
export function registerServiceWorker(catalogAddress: string): void {
  if (!('serviceWorker' in navigator) || !isSecureContext) return
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes
  const policy = factory?.createPolicy('freshet-worker', { createScriptURL: () => WORKER })
  const register = async () => {
    try {
      await navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER)
      const cache = await caches.open(FILES)
      if (!(await cache.match(catalogAddress))) await cache.add(catalogAddress)
    } catch {
      // Without it only offline reading is missing.
    }
  }
  if (document.readyState === 'complete') void register()
  else addEventListener('load', () => void register())
}
