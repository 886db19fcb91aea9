import {toDrawable} from './columns.ts';
import {cutMiddle} from './cut.ts';

/** Columns of a name in a message. At 80 columns, the rest of the sentence has as many. */
const maxNameColumns = 36;

/** Cuts the middle of a long key name in a message, so that its end, such as "u undoes it", stays visible. */
export const shortenKeyName = (key: string): string => cutMiddle(toDrawable(key), maxNameColumns);

/** Quotes a key name, cut in the middle if it is long, so that it can be told from the sentence around it. */
export const quoteKeyName = (key: string): string => `"${shortenKeyName(key)}"`;
