import { HintedError } from '../model/index.ts'

/** The server cannot listen. */
export class ServerError extends HintedError {}
