// esbuild bundles styles along with the page.
declare module '*.css'
