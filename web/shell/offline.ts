/** Registers the service worker, which makes loaded entries readable while the server is unreachable (public/worker.js). */

interface Policy {
  createScriptURL(text: string): string
}
interface PolicyFactory {
  createPolicy(name: string, rules: Policy): Policy
}

const WORKER = '/worker.js'

export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator) || !isSecureContext) return
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes
  const policy = factory?.createPolicy('freshet-worker', { createScriptURL: () => WORKER })
  addEventListener('load', () => {
    navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER).catch(() => {
      // Without it only offline reading is missing.
    })
  })
}
