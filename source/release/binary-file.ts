import {join} from 'node:path';

/** Platform and architecture in file names, such as `linux-x64`. */
export const platformName = `${process.platform}-${process.arch}`;

/** Path of the one-file program that `npm run binary` builds, from the checkout's root. */
export const binaryFile = join('build', `ledge-${platformName}`);
