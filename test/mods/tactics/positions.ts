// Positions at random, as fast-check makes them and makes them smaller: any terrain, any walls, anyone anywhere.
import * as fc from 'fast-check'

type Side = Readonly<Record<string, string>>
export interface Position {
  readonly board: string
  readonly sides: readonly [Side, Side]
}

interface Cell {
  readonly ground: string
  readonly right: boolean
  readonly down: boolean
}
const rarely = fc.nat(4).map((n) => n === 0)
const cell = fc.record({ ground: fc.constantFrom('', '', 'T', 'B', 'R'), right: rarely, down: rarely })

/** @param characters ids of those who may be there, up to three on a side */
export function positions(characters: readonly string[]): fc.Arbitrary<Position> {
  const team = fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength: 3 })
  const size = fc.record({ width: fc.integer({ min: 2, max: 8 }), height: fc.integer({ min: 3, max: 6 }) })
  return fc.record({ size, teams: fc.tuple(team, team) }).chain(({ size: { width, height }, teams }) => {
    const sides = named(teams)
    const names = sides.flatMap((side) => Object.keys(side))
    const count = width * height
    return fc
      .record({
        cells: fc.array(cell, { minLength: count, maxLength: count }),
        places: fc.uniqueArray(fc.nat(count - 1), { minLength: names.length, maxLength: names.length }),
      })
      .map(({ cells, places }) => {
        const units = new Map(places.map((place, i) => [place, names[i] ?? '']))
        return { board: draw(width, cells, units), sides }
      })
  })
}

/** Everyone by the name that commands will have: `k1`, over both sides in the order of entry. */
function named([one, two]: readonly [readonly string[], readonly string[]]): [Side, Side] {
  const count = new Map<string, number>()
  const name = (id: string): string => {
    const letter = id.charAt(id.indexOf('/') + 1).toLowerCase()
    const n = (count.get(letter) ?? 0) + 1
    count.set(letter, n)
    return letter + n
  }
  const side = (ids: readonly string[]): Side => Object.fromEntries(ids.map((id) => [name(id), id]))
  return [side(one), side(two)]
}

/** Cells are four wide; nothing stands on the rim, where the map ends anyway. */
function draw(width: number, cells: readonly Cell[], units: ReadonlyMap<number, string>): string {
  const lines: string[] = []
  for (let from = 0; from < cells.length; from += width) {
    const row = cells.slice(from, from + width)
    const text = ({ ground }: Cell, x: number) => ((units.get(from + x) ?? '') + ground || '.').padEnd(4)
    lines.push(row.map((at, x) => text(at, x) + (at.right && x < width - 1 ? '|' : ' ')).join(''))
    const isLast = from + width >= cells.length
    lines.push(row.map(({ down }) => (down && !isLast ? '-' : ' ').padEnd(5)).join(''))
  }
  return lines.join('\n')
}
