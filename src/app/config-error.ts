import { HintedError } from '../model/index.ts'

/** A setting is unknown or has an invalid value. The hint says what is expected. */
export class ConfigError extends HintedError {}
