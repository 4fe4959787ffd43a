/** Changes that need a recent sign-in: asks the user to sign in again if theirs is older, and then makes the change. */
import { needsOf } from '../shell/api.ts'

class SignInAgain {
  isShown = $state(false)
  #settle: ((isDone: boolean) => void) | undefined

  /** Makes a change. Undefined if the user cancels. */
  async before<Result>(change: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await change()
    } catch (error) {
      if (needsOf(error) !== 'sign-in') throw error
    }
    this.isShown = true
    const isDone = await new Promise<boolean>((resolve) => (this.#settle = resolve))
    return isDone ? change() : undefined
  }

  end(isDone: boolean): void {
    this.isShown = false
    this.#settle?.(isDone)
    this.#settle = undefined
  }
}

export const signInAgain = new SignInAgain()
