/** An error for users: `message` says what was tried and what failed, `hint` what to do. Each error boundary handles its own subclass. */
export class HintedError extends Error {
  readonly hint: string

  constructor(message: string, hint: string, options: ErrorOptions = {}) {
    super(message, options)
    this.name = new.target.name
    this.hint = hint
  }
}
