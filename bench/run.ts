/** `npm run bench -- NAME [arguments]` runs bench/NAME.bench.ts; without a name it lists them. */
import { readdirSync } from 'node:fs';
import path from 'node:path';

const [name, ...rest] = process.argv.slice(2);
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''));
if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench -- NAME\n  names: ${names.join(', ')}`);
  process.exit(2);
}
const bench = (await import(path.join(import.meta.dirname, `${name}.bench.ts`))) as {
  run: (args: string[]) => Promise<number>;
};
process.exit(await bench.run(rest));
