/*
 * Service worker for offline reading and notifications. It caches the page's files on installation. Responses of the API are cached when they are loaded, and
 * used only if the server does not respond, so nothing shown is older than necessary. The page itself fills a second cache, with the unread
 * entries of chosen folders (reader/offline-entries.svelte.ts).
 */
const FILES = 'freshet-files'
const NEWS = 'freshet-news'
const CHOSEN = 'freshet-news-offline'
/** In requests of the page that fill the second cache. */
const OFFLINE_COPY = 'x-freshet-offline-copy'
/** Files of the page besides its assets. Their names never change. */
const FRAME = ['/favicon.svg', '/theme.js']
const MOST_NEWS = 600
const TIMEOUT_MS = 8000

addEventListener('install', (event) => {
  skipWaiting()
  event.waitUntil(keepFiles())
})

addEventListener('activate', (event) => event.waitUntil(clients.claim()))

addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin || request.headers.has(OFFLINE_COPY)) return
  if (url.pathname.startsWith('/assets/')) event.respondWith(storedFirst(request))
  else if (FRAME.includes(url.pathname)) event.respondWith(fetch(request).catch(() => storedFirst(request)))
  else if (request.mode === 'navigate' && !/^\/(api|feeds|metrics|feeds\.opml)(\/|$)/.test(url.pathname))
    event.respondWith(pageOrStored(request))
  else if (isNews(url)) event.respondWith(freshOrStored(event))
})

/** Browsers end subscriptions whose messages show nothing, so one that cannot be read is shown, too. */
addEventListener('push', (event) => {
  let message = {}
  try {
    message = event.data.json()
  } catch {
    // shown without a text
  }
  const { title = 'Freshet', body = '', url = '/', tag } = message
  event.waitUntil(registration.showNotification(title, { body, tag, icon: '/icon-192.png', data: { url } }))
})

addEventListener('notificationclick', (event) => {
  const { notification } = event
  notification.close()
  event.waitUntil(openPath(notification.data?.url ?? '/'))
})

/** In a window that is already open, if there is one. */
async function openPath(path) {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows.find(({ focused }) => focused) ?? windows[0]
  if (!open) return clients.openWindow(path)
  await open.focus().catch(() => {}) // refused in some browsers; the window shows the entry all the same
  open.postMessage({ open: path })
}

/** Cached: entries with their details, pictures, and what the frame needs. Not cached: streams, exports, the dashboard. */
function isNews({ pathname }) {
  return (
    /^\/api\/v1\/(entries|feeds|groups|session|status|folders|labels|searches|reading|playback|subscriptions)(\/|$)/.test(
      pathname,
    ) &&
    !pathname.startsWith('/api/v1/status/disk-usage') &&
    !/^\/api\/v1\/entries\/\d+\/recording$/.test(pathname)
  )
}

async function keepFiles() {
  const { files, catalogs } = await (await fetch('/assets.json', { cache: 'no-cache' })).json()
  const cache = await caches.open(FILES)
  await cache.addAll(['/', ...FRAME, ...files])
  const wanted = new Set([...files, ...catalogs]) // the page adds the catalog of its language
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url)
    if (pathname.startsWith('/assets/') && !wanted.has(pathname)) await cache.delete(url)
  }
}

async function storedFirst(request) {
  return (await caches.match(request)) ?? fetch(request)
}

async function pageOrStored(request) {
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (answer.ok && new URL(request.url).pathname === '/') {
      const cache = await caches.open(FILES)
      await cache.put('/', answer.clone())
    }
    return answer
  } catch {
    return (await caches.match('/')) ?? Response.error()
  }
}

async function freshOrStored(event) {
  const { request } = event
  try {
    const answer = await fetch(request)
    if (answer.ok) event.waitUntil(keep(request, answer.clone()))
    return answer
  } catch (error) {
    const stored = (await caches.match(request, { cacheName: NEWS })) ?? (await chosen(request))
    // The health check must fail while the server is unreachable.
    if (!stored || new URL(request.url).pathname === '/api/v1/status') throw error
    return stored
  }
}

/** Of an entry, the picture in any size is better than none. */
async function chosen(request) {
  if (!(await caches.has(CHOSEN))) return undefined
  const cache = await caches.open(CHOSEN)
  const { pathname, searchParams } = new URL(request.url)
  const isOwnPicture = /^\/api\/v1\/entries\/\d+(\/picture)?$/.test(pathname) && !searchParams.has('url')
  return (await cache.match(request)) ?? (isOwnPicture ? cache.match(request, { ignoreSearch: true }) : undefined)
}

async function keep(request, answer) {
  const cache = await caches.open(NEWS)
  await cache.put(request, answer)
  const keys = await cache.keys()
  for (const old of keys.slice(0, Math.max(0, keys.length - MOST_NEWS))) await cache.delete(old)
}
