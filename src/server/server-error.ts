import { HintedError } from '../model/index.ts'

/** Why the server could not begin to listen. */
export class ServerError extends HintedError {}
