// Files that the bundler takes, which TypeScript does not know.
declare module '*.css';
