/** Why the server could not begin to listen. `message` says what was tried and what came, `hint` what to do. */
export class ServerError extends Error {
  readonly hint: string

  constructor(message: string, hint: string, options: ErrorOptions = {}) {
    super(message, options)
    this.name = 'ServerError'
    this.hint = hint
  }
}
