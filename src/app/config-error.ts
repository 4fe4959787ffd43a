import { HintedError } from '../model/index.ts'

/** A setting that is unknown or has a wrong value; the hint is what was expected. */
export class ConfigError extends HintedError {}
