/** Tables by which languages are told apart (tools/write-language-tables.ts makes them). */
export { readLanguageTables } from './read-language-tables.ts'
