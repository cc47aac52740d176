/** For `node --import`: what every process that runs tests loads first. */
import './untracked-promises.ts'
import './bundled-dependencies.ts'
