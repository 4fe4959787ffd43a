/**
 * The router. Every view has a URL, so that back, reload and bookmarks work: the path is the list, the query parameter `e` is the open
 * entry. Links are plain links; this module handles clicks on them.
 */
export type ListKind =
  | 'all'
  | 'unread'
  | 'starred'
  | 'listening'
  | 'for-you'
  | 'label'
  | 'muted'
  | 'feed'
  | 'folder'
  | 'category'
  | 'search'

/** What a list shows. `value` is a feed's id, the name of a folder, category or label, or a search query, which may still be typed. */
export interface ListSpec {
  kind: ListKind
  value: string
  isTyping?: true
}

export type Route =
  | { view: 'read'; list: ListSpec; entry?: number }
  | { view: 'morning'; day?: string; entry?: number }
  | { view: 'site'; host: string }
  | { view: 'add' }
  | { view: 'subscriptions'; page: string }
  | { view: 'welcome' }
  | { view: 'dashboard'; page: string; id?: string }

const LISTS: readonly string[] = [
  'all',
  'unread',
  'starred',
  'listening',
  'for-you',
  'label',
  'muted',
  'feed',
  'folder',
  'category',
  'search',
]

function parse(url: URL): Route {
  const [view = '', first = '', ...rest] = url.pathname.split('/').slice(1).map(decoded)
  const entry = Number(url.searchParams.get('e')) || undefined
  const open = entry === undefined ? {} : { entry }
  switch (view) {
    case 'morning':
      return { view, ...(first && { day: first }), ...open }
    case 'site':
      return { view, host: first }
    case 'add':
    case 'welcome':
      return { view }
    case 'subscriptions':
      return { view, page: first || 'all' }
    case 'dashboard':
      return { view, page: first || 'overview', ...(rest[0] !== undefined && { id: rest[0] }) }
    default: {
      const kind = (LISTS.includes(first) ? first : 'all') as ListKind
      const value = kind === 'search' ? (url.searchParams.get('q') ?? '') : (rest[0] ?? '')
      const isTyping = kind === 'search' && url.searchParams.has('typing')
      return { view: 'read', list: { kind, value, ...(isTyping && { isTyping }) }, ...open }
    }
  }
}

export function pathOf({ kind, value, isTyping }: ListSpec, entry?: number): string {
  const query = new URLSearchParams()
  if (kind === 'search') query.set('q', value)
  if (isTyping) query.set('typing', '')
  if (entry !== undefined) query.set('e', String(entry))
  const path = ['read', kind, ...(kind === 'search' || value === '' ? [] : [encodeURIComponent(value)])].join('/')
  return `/${path}${query.size > 0 ? `?${query}` : ''}`
}

export function keyOf({ kind, value, isTyping }: ListSpec): string {
  return `${kind}:${value}${isTyping ? '…' : ''}`
}

class Router {
  route = $state.raw<Route>(parse(new URL(location.href)))
  /** How many history entries this page has added, so that "back" never leaves the page. */
  #depth = 0

  constructor() {
    addEventListener('popstate', () => {
      this.#depth = Math.max(0, this.#depth - 1)
      this.route = parse(new URL(location.href))
    })
    document.addEventListener('click', (event) => this.#clicked(event))
  }

  go(path: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, '', path)
    else {
      history.pushState(null, '', path)
      this.#depth++
    }
    this.route = parse(new URL(location.href))
  }

  /** Goes back in the history, or to `path` if the previous entry is not of this page. */
  back(path: string): void {
    if (this.#depth > 0) history.back()
    else this.go(path, { replace: true })
  }

  #clicked(event: MouseEvent): void {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    const link = (event.target as Element).closest?.('a')
    if (!link || link.target || link.download || link.origin !== location.origin) return
    if (!/^\/($|(read|morning|site|add|subscriptions|dashboard|welcome)(\/|$))/.test(link.pathname)) return
    event.preventDefault()
    if (link.href !== location.href) this.go(link.pathname + link.search)
  }
}

export const router = new Router()

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
