/** Shapes of sides, so that teams differ without colour. */
export type Shape = 'circle' | 'diamond' | 'square' | 'hexagon'
const SHAPES = ['circle', 'diamond', 'square', 'hexagon'] as const
/** As many as `page.css` has colours. */
const COLOURS = 6

export function shapeOf(side: number): Shape {
  return side < 0 ? 'square' : (SHAPES[side % SHAPES.length] ?? 'circle')
}

export function sideClass(side: number): string {
  return side < 0 ? 'side-none' : `side-${side % COLOURS}`
}

/** The class of a bar filled to this share. */
export function healthClass(share: number): string {
  return share > 0.5 ? 'ok' : share > 0.25 ? 'warn' : 'bad'
}

/** The outline of a piece of a side, around the origin; `r` is the radius of the circle. */
export function outline(side: number, r: number): string {
  switch (shapeOf(side)) {
    case 'circle':
      return `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`
    case 'diamond': {
      const d = r * 1.24
      return `M0 ${-d}L${d} 0L0 ${d}L${-d} 0z`
    }
    case 'square': {
      const s = r * 0.9
      return `M${-s} ${-s}H${s}V${s}H${-s}z`
    }
    case 'hexagon': {
      const h = r * 1.08
      const x = h * 0.866
      return `M0 ${-h}L${x} ${-h / 2}V${h / 2}L0 ${h}L${-x} ${h / 2}V${-h / 2}z`
    }
  }
}
