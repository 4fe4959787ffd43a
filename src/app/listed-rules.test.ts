import { describe, expect, test } from 'vitest'
import { parseListedRules } from './listed-rules.ts'
import { readConfig } from './read-config.ts'

const rulesIn = (text: string) => readConfig({ flags: {}, environment: {}, file: { name: 'freshet.toml', text } }).rules

describe('rules in freshet.toml', () => {
  test('have a name, a query, a folder and actions', () => {
    expect(
      rulesIn(`
[[rules]]
name = "ads"
query = "sponsored OR title:/^ad:/i"
folder = "News"
mute = true
[[rules]]
name = "all"
label = ["One", "Two"]
send = "Wallabag"
fetch-article = true
enabled = false
`),
    ).toEqual([
      {
        name: 'ads',
        enabled: true,
        scope: { kind: 'folder', folder: 'News' },
        query: 'sponsored OR title:/^ad:/i',
        actions: [{ kind: 'mute' }],
      },
      {
        name: 'all',
        enabled: false,
        scope: { kind: 'all' },
        query: '',
        actions: [
          { kind: 'fetch-article' },
          { kind: 'label', label: 'One' },
          { kind: 'label', label: 'Two' },
          { kind: 'send', destination: 'Wallabag' },
        ],
      },
    ])
    expect(rulesIn('')).toEqual([])
  })

  test.each([
    ['rules = 3', 'is not a list'],
    ['rules = [3]', 'rule 1 in freshet.toml is not a table'],
    ['[[rules]]\nstar = true', 'has no name'],
    ['[[rules]]\nname = "a"', 'has 0 actions'],
    ['[[rules]]\nname = "a"\nstar = "yes"', 'star must be true or false'],
    ['[[rules]]\nname = "a"\nlabel = 3', 'label must be a text'],
    ['[[rules]]\nname = "a"\ncolor = "red"', 'unknown key "color"'],
    ['[[rules]]\nname = "a"\nstar = true\nquery = "autor:x"', 'autor'],
    ['[[rules]]\nname = "a"\nstar = true\n[[rules]]\nname = "A"\nmute = true', 'have the name a'],
  ])('reject %j', (text, words) => {
    expect(() => rulesIn(text)).toThrow(words)
  })

  test('are at most a hundred', () => {
    const rules = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `r${i}`, star: true }))
    expect(parseListedRules(rules(100), 'f')).toHaveLength(100)
    expect(() => parseListedRules(rules(101), 'f')).toThrow('more than 100 rules')
  })
})
