/**
 * The tables by which languages are told apart: `languages.bin`, made by `npm run language-tables` of those of eld (NOTICE).
 * It lies beside this file in the sources and in the built package. What its bytes mean is known to articles.
 */
import { readFile } from 'node:fs/promises'

export function readLanguageTables(): Promise<Uint8Array> {
  return readFile(new URL('languages.bin', import.meta.url))
}
