/** What users choose for single features. It counts beside what was learned, and stays until they change it. */

/** never: entries with the feature are left out. */
export const PREFERENCES = ['more', 'less', 'never'] as const

export type Preference = (typeof PREFERENCES)[number]

/** By key of the feature. */
export type Preferences = ReadonlyMap<string, Preference>

export const NEUTRAL_PREFERENCES: Preferences = new Map()

/** The oldest are forgotten first. */
export const MAX_PREFERENCES = 300

/** Without a preference, the feature counts as learned. */
export function withPreference(preferences: Preferences, key: string, to: Preference | undefined): Preferences {
  const changed = new Map(preferences)
  changed.delete(key) // so that it becomes the newest
  if (to !== undefined) changed.set(key, to)
  return new Map([...changed].slice(-MAX_PREFERENCES))
}
