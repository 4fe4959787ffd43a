/** How somebody likes it, kept in this browser: the theme, the size of the text, and what happens while one scrolls. */
export type Theme = 'auto' | 'light' | 'dark' | 'contrast'

interface Kept {
  theme: Theme
  textSize: number
  /** Of a story only one entry. */
  unique: boolean
  markOnScroll: boolean
}

const KEY = 'freshet.look'
const DEFAULTS: Kept = { theme: 'auto', textSize: 1, unique: true, markOnScroll: false }
const SIZES = [0.9, 1, 1.1, 1.25, 1.4]

class Look {
  kept = $state<Kept>(read())

  set(change: Partial<Kept>): void {
    this.kept = { ...this.kept, ...change }
    this.apply()
    try {
      localStorage.setItem(KEY, JSON.stringify(this.kept))
    } catch {
      // A browser that keeps nothing: it holds until it is closed.
    }
  }

  /** `step`: one larger or one smaller. */
  resize(step: 1 | -1): void {
    const at = SIZES.indexOf(this.kept.textSize)
    this.set({ textSize: SIZES[Math.min(SIZES.length - 1, Math.max(0, at + step))] ?? 1 })
  }

  apply(): void {
    const { dataset, style } = document.documentElement
    if (this.kept.theme === 'auto') delete dataset.theme
    else dataset.theme = this.kept.theme
    style.setProperty('--text-size', String(this.kept.textSize))
  }
}

export const look = new Look()

function read(): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>
    const theme = (['auto', 'light', 'dark', 'contrast'] as const).find((one) => one === kept.theme) ?? DEFAULTS.theme
    const textSize = SIZES.includes(Number(kept.textSize)) ? Number(kept.textSize) : 1
    return {
      theme,
      textSize,
      unique: kept.unique !== false,
      markOnScroll: kept.markOnScroll === true,
    }
  } catch {
    return DEFAULTS
  }
}
