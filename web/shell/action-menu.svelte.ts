/** A menu of actions beside the button that opened it. One at a time; `ActionMenu.svelte` shows it. */
export interface MenuAction {
  label: string
  run: () => void
  isDangerous?: boolean
}

class ActionMenu {
  shown = $state.raw<{ anchor: HTMLElement; label: string; actions: readonly MenuAction[] } | undefined>()

  /** Closes it if the same button opened it. */
  toggle(anchor: HTMLElement, label: string, actions: readonly MenuAction[]): void {
    this.shown = this.shown?.anchor === anchor ? undefined : { anchor, label, actions }
  }

  /** `isFocused`: the focus returns to the button. */
  close(isFocused = true): void {
    const anchor = this.shown?.anchor
    this.shown = undefined
    if (isFocused) anchor?.focus()
  }
}

export const actionMenu = new ActionMenu()
