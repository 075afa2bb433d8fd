// Files of a mod that are no TypeScript: `import drawing from './ford.txt'` is the text of the file.
declare module '*.txt' {
  const text: string
  export default text
}
