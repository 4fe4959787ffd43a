/**
 * `npm run layers`: checks that the code under src keeps to the dependency rules in layers.json. Prints one line for each
 * violation, and exits with 1 if there are any.
 *
 *   node tools/layers.ts [folder with layers.json and src; defaults to this repository]
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { LayersConfig } from './layers/config.ts'
import { otherFolderViolations } from './layers/other-folders.ts'
import { readPorts } from './layers/ports.ts'
import { findViolations } from './layers/rules.ts'
import { readSourceFiles } from './layers/source-files.ts'

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'))
const config: LayersConfig = JSON.parse(readFileSync(join(root, 'layers.json'), 'utf8'))
const files = readSourceFiles(join(root, 'src'))
const violations = [
  ...findViolations(config, files, readPorts(join(root, 'src'), files)),
  ...otherFolderViolations(root, config),
]
for (const violation of violations) console.error(violation)
const modules = new Set(files.map(({ module }) => module)).size
console.log(`${files.length} files in ${modules} modules, ${violations.length} violations`)
process.exitCode = violations.length > 0 ? 1 : 0
