/** Entry of the command line. */
import { toPrintable } from '../report/visibleText';
import { EXIT } from './exitCodes';
import { main } from './main';

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`error  ${toPrintable(String(error))}\n`);
    process.exitCode = EXIT.provider;
  },
);
