// A name for what something was built of: as long as it is the same, nothing need be built again.
// Built-in modules and plain syntax only.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export function hashOf(root, sources) {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of filesOf(root, path.join(root, source))) {
      hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

// In the same order on every machine; what was built or installed does not count, nor do tests and measurements.
function filesOf(root, source) {
  if (path.extname(source) !== '') return [source];
  return readdirSync(source, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](build|node_modules|test|bench)[\\/]/.test(path.relative(root, file)))
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .sort();
}
