// Who hears an event in what order: a matter of the match, not of what was loaded when.
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Action } from '../../../runtime/engine/action.ts'
import { drain } from '../../../runtime/engine/pump.ts'
import type { Match } from '../../../runtime/match/match.ts'
import type { Bundle } from '../../../runtime/mods/bundle.ts'
import { bundlesOf, closeDojo, content, dojo, linesOf, load, play, startWith, swapBundles } from '../../kit/dojo.ts'
import { deliver, runs } from '../../kit/engine.ts'

afterAll(closeDojo)

const noting = (kind: string, name: string) =>
  `export const ${name} = ${kind}.define({ name: '${name}' }).on(Hit, (hit) => { hit.note('${name} 1') }).on(Hit, (hit) => { hit.note('${name} 2') });`

describe('handlers of one priority', () => {
  it('of definitions without a table come first, by mod and by definition as they are called; then rows as they were added', async () => {
    const match = await dojo(
      {
        a: content(noting('Law', 'Late') + noting('Trait', 'Ash') + noting('Law', 'Early')),
        b: {
          manifest: { dependencies: { dojo: '*', z: '*' } },
          'index.ts': content(noting('Law', 'Deep') + noting('Trait', 'Bay')),
        },
        z: content(noting('Law', 'Zed')),
      },
      { config: { traits: ['b/Bay', 'a/Ash'], fighters: 1 } },
    )
    expect(linesOf(play(match, 0, 'strike f2 0')).filter((line) => line.endsWith('1'))).toEqual([
      // Mods by the depth of what they depend on, then by id.
      ...['Late 1', 'Early 1', 'Zed 1', 'Deep 1'],
      // f1 has both, then f2.
      ...['Bay 1', 'Ash 1', 'Bay 1', 'Ash 1'],
    ])
    expect(linesOf(play(match, 0, 'strike f2 0')).slice(0, 2)).toEqual(['Late 1', 'Late 2'])
  })

  it('come in the same order whatever is loaded anew in between', async () => {
    const names = ['Ash', 'Bay', 'Cedar', 'Date', 'Elm', 'Fir']
    const mods = ['one', 'two', 'three']
    const bundles = await bundlesOf(
      Object.fromEntries(
        mods.map((mod, i) => [
          mod,
          content(noting('Trait', names[2 * i] ?? '') + noting('Trait', names[2 * i + 1] ?? '')),
        ]),
      ),
    )
    const start = await startWith(await load(bundles))
    const definition = (name: string) => `${mods[Math.floor(names.indexOf(name) / 2)]}/${name}`
    let serial = 0
    const anew = (all: readonly Bundle[], mod: string) =>
      all.map((b) => (b.mod === mod ? { ...b, hash: `${++serial}` } : b))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...names), fc.option(fc.constantFrom(...mods), { freq: 3 }), fc.boolean()), {
          minLength: 1,
          maxLength: 6,
        }),
        async (steps) => {
          const match = start.fork()
          let now = bundles
          const due: string[] = []
          for (const [name, reload, lose] of steps) {
            const { state } = match
            const fighter = state.world.layout.byId.get('dojo/Fighter')
            const info = [...state.set.definitions.values()].find((d) => d.id === definition(name))
            if (fighter === undefined || info === undefined) throw new Error('the dojo is another')
            give(match, state.world.ref(fighter, 0), info.hash)
            due.push(`${name} 1`, `${name} 2`)
            if (reload !== null) {
              if (lose)
                await swapBundles(
                  match,
                  now.filter((b) => b.mod !== reload),
                )
              now = anew(now, reload)
              await swapBundles(match, now)
            }
            const { lines } = deliver(match, 'dojo/Hit', { target: 'f1', amount: 0, mood: 'calm' })
            expect(lines.filter((l) => l.tone === 'note').map((l) => l.text.en)).toEqual(due)
          }
        },
      ),
      runs(200),
    )
  })
})

/** Lets a fighter have a trait. */
function give(match: Match, target: number, definition: number): void {
  const event = match.state.set.events.get('dojo/Bestow')
  if (event === undefined) throw new Error()
  const fields = new Int32Array(event.width)
  fields[event.fields[0]?.offset ?? 0] = target
  fields[event.fields[1]?.offset ?? 0] = definition
  const action = new Action(match.state)
  action.enqueue({ event, fields, depth: 0, parent: undefined, by: 'test' })
  drain(action)
}
