/** The folder that everything the service reads at run time is in: of the repository, or of the package that is shipped. */
import { existsSync } from 'node:fs'

/** It, with a slash at its end. Looked for upwards, since sources and what they are bundled into lie at different depths. */
export const packageRoot: URL = folderOfManifest(new URL('./', import.meta.url))

function folderOfManifest(folder: URL): URL {
  return existsSync(new URL('package.json', folder)) ? folder : folderOfManifest(new URL('../', folder))
}
