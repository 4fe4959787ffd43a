import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as articles from '../articles/index.ts'
import * as feeds from '../feeds/index.ts'
import * as library from './index.ts'

const ROOMS: Record<string, object> = { library, feeds, articles }

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const section = README.slice(README.indexOf('## Use as a library'), README.indexOf('## Development'))

it('gives those who import the package these names, and no other', () => {
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

it('has all that the README imports, in the room that it names', () => {
  const imports = section.matchAll(/import \{ ([^}]+) \} from 'freshet-crawler(?:\/(\w+))?'/g)
  const promised = Array.from(imports, ([, names = '', room = 'library']) => ({ room, names: names.split(', ') }))
  expect(promised.map(({ room }) => room)).toEqual(['feeds', 'library', 'library', 'articles'])
  for (const { room, names } of promised) expect(Object.keys(ROOMS[room]!)).toEqual(expect.arrayContaining(names))
})

it('is told by the README name by name', () => {
  const untold = Object.keys(library).filter((name) => !new RegExp(`\\b${name}\\b`).test(section))
  expect(untold).toEqual([])
})
