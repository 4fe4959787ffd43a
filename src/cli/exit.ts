/** The codes with which the program ends. */

/** Ends the program with this code; what there was to say has been said. */
export class Exit extends Error {
  readonly code: number

  constructor(code: number) {
    super(`exit ${code}`)
    this.name = 'Exit'
    this.code = code
  }
}

/** 130 is what shells expect of a program that ended because of Ctrl-C. */
export const EXIT = { failed: 1, usage: 2, store: 3, interrupted: 130 } as const
