/** An error for people: `message` says what was tried and what came, `hint` what to do. Each wall knows its own kind of it. */
export class HintedError extends Error {
  readonly hint: string

  constructor(message: string, hint: string, options: ErrorOptions = {}) {
    super(message, options)
    this.name = new.target.name
    this.hint = hint
  }
}
