import {tmpdir} from 'node:os';
import fc from 'fast-check';
import {inMemoryPages, Pages} from '../../../source/kv/key-index/pages.ts';

/** Pages so small that a few keys fill some, of which the fewest possible stay in memory. */
export const tinyPages = (pageBytes: number): Pages =>
	new Pages({
		pageBytes,
		maxBytes: 0,
		directory: tmpdir,
		onFailure: failure => {
			throw failure;
		},
	});

const shared = [inMemoryPages, tinyPages(64), tinyPages(512)];

/** What an index may keep its keys in. */
export const anyPages: fc.Arbitrary<Pages> = fc.constantFrom(...shared);
