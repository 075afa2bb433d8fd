// What mods with characters, buffs, terrains and maps import as `@mods/tactics`.
export * from './events.ts'
export * from './queries.ts'
export * from './shapes.ts'
export * from './stats.ts'
export * from './tokens.ts'
export * from './world.ts'
