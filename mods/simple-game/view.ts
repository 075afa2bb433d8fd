import { Game, tableView } from '@mods/cards'
import type { Player, View } from 'kiln'

/** What a viewer sees; on turn, any card of the own hand may be played. */
export function view(viewer: Player | null): View {
  const onTurn = viewer !== null && Game.status === 'playing' && Game.current === viewer
  return tableView(viewer, {
    command: (card) => `play ${card}`,
    mayPlay: () => onTurn,
    buttons:
      viewer !== null && Game.status === 'playing'
        ? [
            { label: { en: 'Draw a card', zh: '摸一张牌' }, command: 'draw 1' },
            ...(onTurn ? [{ label: { en: 'End turn', zh: '结束回合' }, command: 'end' }] : []),
          ]
        : [],
  })
}
