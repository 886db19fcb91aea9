import {tmpdir} from 'node:os';
import fc from 'fast-check';
import {inMemoryPages, Pages} from '../../../source/kv/key-index/pages.ts';

/** Creates pages so small that a few keys fill several. As few as possible stay in memory. */
export const createTinyPages = (pageBytes: number): Pages =>
	new Pages({
		pageBytes,
		maxBytes: 0,
		directory: tmpdir,
		onFailure: failure => {
			throw failure;
		},
	});

const shared = [inMemoryPages, createTinyPages(64), createTinyPages(512)];

/** The pages, in memory or in a file, in which an index may keep its keys. */
export const anyPages: fc.Arbitrary<Pages> = fc.constantFrom(...shared);
