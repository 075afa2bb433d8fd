import { Component, type ComponentChild, type ComponentType } from 'preact'

/** A component that is drawn again only if one of its props is another value. */
export function memo<P extends object>(draw: (props: P) => ComponentChild): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const now = this.props as Readonly<P>
      return (Object.keys({ ...now, ...next }) as (keyof P)[]).some((key) => now[key] !== next[key])
    }
    render(props: P): ComponentChild {
      return draw(props)
    }
  }
}
