import {toDrawable} from './columns.ts';
import {cutMiddle} from './cut.ts';

/** Columns of a name in a message. At 80 columns, the rest of the sentence has as many. */
const maxNameColumns = 36;

/** Cuts the middle of a long key name in a message, so that its end, such as "u undoes it", stays visible. */
export const shortenKeyName = (key: string): string => cutMiddle(toDrawable(key), maxNameColumns);
