/** The latest searches of the user, stored in this browser until the user logs out. */
const KEY = 'freshet.searches'
const MAX_SEARCHES = 8
const MAX_LENGTH = 200

class RecentSearches {
  /** Newest first. */
  all = $state.raw<readonly string[]>(load())

  add(query: string): void {
    if (query.length > MAX_LENGTH) return
    this.#set([query, ...this.all.filter((one) => one !== query)].slice(0, MAX_SEARCHES))
  }

  clear(): void {
    this.#set([])
  }

  #set(all: readonly string[]): void {
    this.all = all
    try {
      if (all.length > 0) localStorage.setItem(KEY, JSON.stringify(all))
      else localStorage.removeItem(KEY)
    } catch {
      // Without storage they last until the page is closed.
    }
  }
}

export const recentSearches = new RecentSearches()

function load(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string').slice(0, MAX_SEARCHES) : []
  } catch {
    return []
  }
}
