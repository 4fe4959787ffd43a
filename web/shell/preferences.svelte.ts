/** Preferences stored in this browser: language, theme, text size, and how lists behave. */

import type { MorningOrder } from '../../src/client/index.ts'

export type Theme = 'auto' | 'light' | 'dark' | 'contrast'

interface PreferenceValues {
  /** The language of the page; empty: the browser's. */
  language: string
  theme: Theme
  textSize: number
  /** Show only one entry of each story. */
  unique: boolean
  markOnScroll: boolean
  morningOrder: MorningOrder
}

const KEY = 'freshet.preferences'
const DEFAULTS: PreferenceValues = {
  language: '',
  theme: 'auto',
  textSize: 1,
  unique: true,
  markOnScroll: false,
  morningOrder: 'outlets',
}
const SIZES = [0.9, 1, 1.1, 1.25, 1.4]

class Preferences {
  current = $state<PreferenceValues>(load())

  set(change: Partial<PreferenceValues>): void {
    this.current = { ...this.current, ...change }
    this.apply()
    try {
      localStorage.setItem(KEY, JSON.stringify(this.current))
    } catch {
      // Without storage the preference lasts until the page is closed.
    }
  }

  /** Makes the text one step larger or smaller. */
  resize(step: 1 | -1): void {
    const at = SIZES.indexOf(this.current.textSize)
    this.set({ textSize: SIZES[Math.min(SIZES.length - 1, Math.max(0, at + step))] ?? 1 })
  }

  apply(): void {
    const { dataset, style } = document.documentElement
    if (this.current.theme === 'auto') delete dataset.theme
    else dataset.theme = this.current.theme
    style.setProperty('--text-size', String(this.current.textSize))
  }
}

export const preferences = new Preferences()

function load(): PreferenceValues {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<PreferenceValues>
    const theme =
      (['auto', 'light', 'dark', 'contrast'] as const).find((name) => name === stored.theme) ?? DEFAULTS.theme
    const textSize = SIZES.includes(Number(stored.textSize)) ? Number(stored.textSize) : 1
    return {
      language: typeof stored.language === 'string' ? stored.language : '',
      theme,
      textSize,
      unique: stored.unique !== false,
      markOnScroll: stored.markOnScroll === true,
      morningOrder: stored.morningOrder === 'for-you' ? 'for-you' : 'outlets',
    }
  } catch {
    return DEFAULTS
  }
}
