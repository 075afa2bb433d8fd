// The version of what mods import as `kiln`; a mod.json says with `kiln` which it is written for.
export const SDK_VERSION = '0.1.0'
