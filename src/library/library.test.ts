import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as articles from '../articles/index.ts'
import * as feeds from '../feeds/index.ts'
import * as library from './index.ts'

const MODULES: Record<string, object> = { library, feeds, articles }

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const section = README.slice(README.indexOf('## Use as a library'), README.indexOf('## Development'))

it('exports these names and no others', () => {
  expect(Object.keys(library).toSorted()).toEqual([
    'ConfigError',
    'InputError',
    'ServerError',
    'StoreError',
    'VERSION',
    'createLog',
    'defaultConfig',
    'loadLanguageOf',
    'logEvent',
    'openCrawl',
    'openForReading',
    'parseList',
    'readConfig',
    'startServer',
  ])
})

it('exports everything that the README imports', () => {
  const imports = section.matchAll(/import \{ ([^}]+) \} from 'freshet-crawler(?:\/(\w+))?'/g)
  const promised = Array.from(imports, ([, names = '', module = 'library']) => ({ module, names: names.split(', ') }))
  expect(promised.map(({ module }) => module)).toEqual(['feeds', 'library', 'library', 'articles'])
  for (const { module, names } of promised) expect(Object.keys(MODULES[module]!)).toEqual(expect.arrayContaining(names))
})

it('is documented in the README name by name', () => {
  const undocumented = Object.keys(library).filter((name) => !new RegExp(`\\b${name}\\b`).test(section))
  expect(undocumented).toEqual([])
})
