/** Whether this is `npm run test:full`, which tries everything; `npm test` tries a part of what is tried many times. */
export const isFull = process.env.TEST_KILLS !== undefined;

/**
 * The number of runs of a random test: `full` in `npm run test:full`, and a twelfth of it in `npm test`,
 * whose seeds are fixed.
 */
export const getRunCount = (full: number): number => (isFull ? full : Math.ceil(full / 12));

/** Those of many similar cases that are tried: all in `npm run test:full`, every third in `npm test`. */
export const everyThirdUnlessFull = <Item>(all: readonly Item[]): readonly Item[] =>
	all.filter((_, at) => isFull || at % 3 === 0);

/** Whether one of many similar cases is tried: each in `npm run test:full`, every eighth in `npm test`. */
export const isSampled = (index: number): boolean => isFull || index % 8 === 0;
