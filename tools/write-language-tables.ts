/** `npm run language-tables`: writes the tables for language detection from those of eld, when eld has new ones. */
import { writeFileSync } from 'node:fs'
import { languageTables } from './language-tables.ts'

writeFileSync(new URL('../src/languages/languages.bin', import.meta.url), await languageTables())
