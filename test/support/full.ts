/** Whether this is `npm run test:full`, which tries everything; `npm test` tries a part of what is tried many times. */
export const isFull = process.env.TEST_KILLS !== undefined;

/** How often something random is tried: so often in `npm run test:full`, and a twelfth of it in `npm test`, whose seeds are fixed. */
export const runs = (full: number): number => (isFull ? full : Math.ceil(full / 12));

/** Those of many, alike but for a detail, that are tried: all in `npm run test:full`, every third in `npm test`. */
export const someOf = <One>(all: readonly One[]): readonly One[] =>
	all.filter((_, at) => isFull || at % 3 === 0);

/** Whether one of many that are alike is tried: each in `npm run test:full`, every eighth in `npm test`. */
export const isTried = (number: number): boolean => isFull || number % 8 === 0;
