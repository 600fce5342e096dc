/** Builds what the package contains: JavaScript with types, and the license. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

rmSync(at('dist'), { recursive: true, force: true });
// By its path: the workspace has another version for what generates the types.
execFileSync(process.execPath, [at('../../node_modules/typescript/bin/tsc'), '-p', at('tsconfig.build.json')], {
  stdio: 'inherit',
});
copyFileSync(at('../../LICENSE'), at('LICENSE'));
