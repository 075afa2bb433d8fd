// Texts for people, as mods write them.

/** A template with its values, made by `t`. */
export interface Template {
  readonly '~template': true
}
/** What people read: the same text in every language, one text per language, or a template. */
export type Text = string | { readonly en: string; readonly zh: string } | Template
