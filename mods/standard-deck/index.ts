import { definePlugin } from '@mods/cards'
import { plugin } from './plugin.ts'

export const StandardDeckPlugin = definePlugin(plugin)
