/** The root of the repository or of the shipped package, which contains all files read at run time. */
import { existsSync } from 'node:fs'

/** With a trailing slash. Searched upwards, because sources and bundles lie at different depths. */
export const packageRoot: URL = folderOfManifest(new URL('./', import.meta.url))

function folderOfManifest(folder: URL): URL {
  return existsSync(new URL('package.json', folder)) ? folder : folderOfManifest(new URL('../', folder))
}
