import {join} from 'node:path';

/** Platform and architecture as in the names of files: `linux-x64`. */
export const platformName = `${process.platform}-${process.arch}`;

/** Where `npm run binary` puts the one-file program, from the folder of the checkout. */
export const binaryFile = join('build', `ledge-${platformName}`);
