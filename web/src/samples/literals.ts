/** Literals of strings, in the languages of the samples. */

/** POSIX shell: between single quotes nothing is special. */
export const inShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** JavaScript, TypeScript. */
export const inTypeScript = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`

/** PHP: between single quotes only the quote and the backslash are special. */
export const inPhp = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`

/** Python and Go read every escape sequence of JSON. */
export const inPythonAndGo = (text: string): string => JSON.stringify(text)
