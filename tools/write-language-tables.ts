/** Writes the tables by which languages are told apart, of those of eld. `npm run language-tables`, when eld has new ones. */
import { writeFileSync } from 'node:fs'
import { languageTables } from './language-tables.ts'

writeFileSync(new URL('../src/drivers/language-tables/languages.bin', import.meta.url), await languageTables())
