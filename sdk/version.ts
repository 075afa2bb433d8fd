// The version of Kiln, as package.json has it.
export const RELEASE = '0.1.0'
/** Raised whenever the runtime makes something else of the same inputs: order, limits, what is a fault. */
export const RULES = 1
// The version of what mods import as `kiln`; a mod.json says with `kiln` which it is written for.
export const SDK_VERSION = '0.1.0'
