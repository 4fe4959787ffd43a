/**
 * What a story needs in common: something specific beside the words of its template. Each report is written twice by the
 * same template about different things, or once and retold.
 */
import { describe, expect, test } from 'vitest'
import { createCopyIndex, type Item } from '../index.ts'

const START = Date.UTC(2026, 2, 2)
const MINUTE = 60_000

type Report = [title: string, text: string]

/** Whether two reports are one story for an index that knows nothing else, by their copies and contents, too. */
function areOneStory(first: Report, second: Report): boolean {
  const stories = createCopyIndex({ level: 'story' })
  const copies = createCopyIndex()
  const items = [first, second].map(
    ([title, text], i): Item => ({ id: i + 1, at: START + i * 20 * MINUTE, title, text }),
  )
  const groups = items.map((item) => {
    const { joined, evidence } = copies.add(item)
    const digestOf = evidence.contains ? evidence.like : undefined
    return stories.add({ ...item, copyOf: joined, ...(digestOf !== undefined && { digestOf }) }).group
  })
  return groups.at(-1) === groups.at(-2)
}

describe('reports from one template about different subjects are different stories', () => {
  const cases: [what: string, first: Report, second: Report][] = [
    [
      'a company raises its dividend, another cuts it',
      [
        'Hollowmere Industries raises quarterly dividend',
        'Qtly div 14 cents vs 11 cents prior. Payable April 9. Record March 20.',
      ],
      [
        'Tarnwick Industries cuts quarterly dividend',
        'Qtly div 6 cents vs 11 cents prior. Payable April 16. Record March 27.',
      ],
    ],
    [
      'one bank raises its prime rate, another cuts its own',
      [
        'Brannock Savings raises prime rate',
        'Brannock Savings Bank said it raised its prime lending rate to 7.75 percent from 7.5 percent, effective Monday.',
      ],
      [
        'Ullesby Trust cuts prime rate',
        'Ullesby Trust Bank said it cut its prime lending rate to 6.25 percent from 6.5 percent, effective Thursday.',
      ],
    ],
    [
      'cattle prices at two markets',
      [
        'Garrowby cattle and hog prices',
        'Estimated receipts 1,200 head. Slaughter steers and heifers steady, barrows and gilts 50 cents higher. Choice steers 62.25.',
      ],
      [
        'Penhallow cattle and hog prices',
        'Estimated receipts 3,400 head. Slaughter steers and heifers steady, barrows and gilts 25 cents lower. Choice steers 59.75.',
      ],
    ],
    [
      'futures of two commodities',
      [
        'Barley futures close higher',
        'Barley futures settled higher in moderate trading, with the nearby contract at 214.50. Volume was estimated at 3,100 contracts, traders said.',
      ],
      [
        'Rapeseed futures close higher',
        'Rapeseed futures settled higher in moderate trading, with the nearby contract at 388.25. Volume was estimated at 5,700 contracts, traders said.',
      ],
    ],
    [
      'stocks in two cities',
      [
        'Stocks close lower in Ostravia',
        'Share prices in Ostravia closed lower in quiet dealings, brokers said. The index of 30 shares lost 12 points to 1,804.',
      ],
      [
        'Stocks close lower in Karvelund',
        'Share prices in Karvelund closed lower in quiet dealings, brokers said. The index of 50 shares lost 31 points to 2,650.',
      ],
    ],
  ]

  test.each(cases)('%s', (_, first, second) => {
    expect(areOneStory(first, second)).toBe(false)
  })
})

test('a report that shares one word with titles does not join their story', () => {
  const index = createCopyIndex({ level: 'story' })
  let id = 0
  const add = (title: string, text = '') => index.add({ id: ++id, at: START + id * MINUTE, title, text })
  const offering = add(
    'Veldrane Transit starts share offering',
    'Veldrane Transit Corp said underwriters led by Hallam Brothers began an offering of 900,000 common shares at 14 each.',
  )
  const pick = (all: string[], i: number) => all[i % all.length]!
  const headlines = Array.from({ length: 24 }, (_, i) => {
    const who = pick(['Public transit', 'Transit', 'Transit use', 'Public transit use'], i)
    const what = pick(['record', 'ridership record', 'record high', 'ridership high'], i >> 1)
    return `${who} ${what} ${pick(['say riders', 'in America', 'since 1956', ''], i * 7)}`
  })
  const sizes = headlines.map((title) => add(title).size)
  expect(sizes.at(-1)).toBe(24)
  expect(index.group(offering.id)).toBeUndefined()
})

test('a digest does not join the story of its first item', () => {
  const bridge: Report = [
    'Ferry rams Quellin bridge',
    'A car ferry rammed the old Quellin bridge in fog on Monday and tore away two of its arches, the harbour office said. Nobody was hurt.',
  ]
  const digest: Report = [
    'Monday in brief',
    'A car ferry rammed the old Quellin bridge in fog on Monday and tore away two of its arches. In Dorrimore teachers vote on a strike. The museum of clocks reopens after nine years with a hall for sundials, and the price of bread falls.',
  ]
  expect(areOneStory(bridge, digest)).toBe(false)
})

describe('reports in different words form one story', () => {
  const cases: [language: string, first: Report, second: Report][] = [
    [
      'German',
      [
        'Güterzug entgleist bei Hollenried',
        'Ein mit Kies beladener Güterzug ist bei Hollenried aus den Schienen gesprungen. Die Strecke nach Marnheim bleibt bis Freitag gesperrt, teilte Bahnsprecherin Ilse Wendrich mit.',
      ],
      [
        'Hollenried: Güterzug blockiert Strecke nach Marnheim',
        'Kies liegt auf den Gleisen, ein Wagen hängt schief am Bahndamm: Bis Freitag fahren nur Busse, sagte Ilse Wendrich.',
      ],
    ],
    [
      'French',
      [
        'Le phare de Kerivoal détruit par la tempête',
        "La tempête Odalie a renversé le vieux phare de Kerivoal dans la nuit. Le maire Yann Trébaul demande l'aide de la région pour le reconstruire.",
      ],
      [
        'Tempête Odalie : Kerivoal perd son phare',
        'Les pêcheurs ont vu tomber la tour au petit matin. Yann Trébaul, le maire, veut lancer une souscription et promet de le rebâtir.',
      ],
    ],
    [
      'Spanish',
      [
        'Hallan un mosaico romano en Valdorrosa',
        'Unos obreros hallaron un mosaico romano al abrir una zanja en la plaza de Valdorrosa. La arqueóloga Marta Iruela cree que pertenecía a una villa del siglo cuarto.',
      ],
      [
        'Valdorrosa descubre un mosaico romano bajo su plaza',
        'La obra de la zanja queda parada. Según la arqueóloga Marta Iruela, el suelo de la villa se conserva casi entero y será expuesto.',
      ],
    ],
    [
      'Portuguese',
      [
        'Incêndio destrói fábrica de cortiça em Alvarinhos',
        'Um incêndio destruiu a fábrica de cortiça Sobral em Alvarinhos. O comandante Tiago Mesquita disse que trinta bombeiros combateram as chamas durante a noite.',
      ],
      [
        'Alvarinhos perde a fábrica Sobral num incêndio',
        'A cortiça ardeu até de manhã e o telhado caiu. Ninguém ficou ferido, segundo Tiago Mesquita, comandante dos bombeiros.',
      ],
    ],
  ]

  test.each(cases)('in %s', (_, first, second) => {
    expect(areOneStory(first, second)).toBe(true)
  })
})
