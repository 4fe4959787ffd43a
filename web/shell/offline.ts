/** Has the browser keep what was loaded, for when the server is away (public/worker.js). */

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
      // Then nothing is read offline; all else is as it was.
    })
  })
}
