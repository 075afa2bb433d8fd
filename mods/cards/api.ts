// What plugins and games import as `@mods/cards`.
export * from './context.ts'
export * from './events.ts'
export * from './game.ts'
export * from './model.ts'
export * from './plugin.ts'
export * from './tables.ts'
export * from './view.ts'
