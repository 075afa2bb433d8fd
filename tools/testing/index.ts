// `kiln/testing`: matches in a test, on real bundles in real sandboxes; scenes, which read like the rules they test.
export { type Command, Match, type Result } from '../../runtime/match/match.ts'
export {
  closeTestHost,
  InvariantError,
  type MatchSpec,
  match,
  modSet,
  playBots,
  SHIPPED,
  submit,
  testHost,
} from './match.ts'
export { type Expected, type Order, type Scene, SceneError, type SceneSpec, scene } from './scene.ts'
