/** Exit codes of the program. */

/** Ends the program with an exit code, without a further message. */
export class Exit extends Error {
  readonly code: number

  constructor(code: number) {
    super(`exit ${code}`)
    this.name = 'Exit'
    this.code = code
  }
}

/** Shells expect 130 after Ctrl-C. */
export const EXIT = { failed: 1, usage: 2, store: 3, interrupted: 130 } as const
