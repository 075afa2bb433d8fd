// The mode of a set: phases and what may be done in them.
import { INPUT_MAX } from '../world/core.ts'
import { type EventInfo, fail, type Generation, type ModeInfo, modOf, type PhaseInfo } from './modset.ts'

export function modeOf(
  mods: readonly Generation[],
  modIndex: ReadonlyMap<string, number>,
  modeMod: string,
  events: ReadonlyMap<string, EventInfo>,
): ModeInfo {
  const mod = modIndex.get(modeMod)
  const generation = mod === undefined ? undefined : mods[mod]
  const declared = generation?.registration.modes[0]
  if (mod === undefined || generation === undefined || declared === undefined)
    return fail('KILN_MODE', modeMod, `${modeMod} defines no mode`)
  const local = (n: number): EventInfo =>
    events.get(generation.registration.events[n]?.id ?? '') ?? fail('KILN_MODE', modeMod, `verb number ${n} is unknown`)
  if (modOf(declared.id) !== modeMod) return fail('KILN_MODE', modeMod, `${declared.id} is not a mode of this mod`)
  for (const part of ['setup', 'view', 'snapshot'])
    if (declared.fns[part] === undefined) return fail('KILN_MODE', modeMod, `${declared.id} needs ${part}`)
  const phases = new Map<string, PhaseInfo>()
  for (const phase of declared.phases) {
    const next = declared.fns[`${phase.name}.next`]
    if (next === undefined) return fail('KILN_MODE', modeMod, `phase ${phase.name} has no next`)
    const verbs = phase.verbs.map(local)
    const ends = phase.ends < 0 ? null : local(phase.ends)
    const wrong = [...verbs, ...(ends === null ? [] : [ends])].find((e) => e.sort !== 'verb')
    if (wrong !== undefined) return fail('KILN_MODE', modeMod, `phase ${phase.name}: ${wrong.id} is no verb`)
    if (phase.together) {
      const wide = verbs.find((v) => v.width > INPUT_MAX)
      if (wide !== undefined)
        fail(
          'KILN_MODE',
          modeMod,
          `phase ${phase.name}: the arguments of ${wide.id} take more than ${INPUT_MAX} integers`,
        )
      if (ends === null || !verbs.includes(ends))
        fail('KILN_MODE', modeMod, `phase ${phase.name} is together, so one of its verbs ends it`)
    }
    phases.set(phase.name, {
      name: phase.name,
      verbs,
      together: phase.together,
      ends,
      text: phase.text,
      enter: declared.fns[`${phase.name}.enter`],
      next,
      asks: declared.fns[`${phase.name}.asks`],
      seconds: declared.fns[`${phase.name}.seconds`],
    })
  }
  if (!phases.has(declared.first)) return fail('KILN_MODE', modeMod, `${declared.id}: first names no phase`)
  const { id, name, players, presets, reasons, first, fns, bots, invariants } = declared
  return {
    id,
    mod,
    name,
    players,
    config: generation.registration.config[0] ?? {},
    presets,
    reasons,
    first,
    fns,
    bots,
    invariants,
    phases,
  }
}
