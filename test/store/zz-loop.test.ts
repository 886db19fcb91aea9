import {expect, test} from 'vitest';
import {clock, entriesOf, inputFile, newNamespace, start} from './support/bulk.ts';
import {createTestStore} from './support/store.ts';

const rounds = Array.from({length: 25}, (_, i) => i);
test.each(rounds)('cancel %i', async () => {
	const space = createTestStore(
		{simulate: true},
		{faults: 'hang method=PUT path=/bulk after=1', now: clock()},
	);
	const {state, until} = space;
	const row = await newNamespace(space, 'LOAD');
	await state().checkBulk('bulk-put', row, inputFile(space, 'load.json', entriesOf(25_000)), space.signal);
	const ended = start(state);
	await until(({bulk}) => bulk?.stage.state === 'sending' && bulk.stage.progress.done === 10_000);
	(globalThis as {gc?: () => void}).gc?.();
	await new Promise(r => setTimeout(r, 20));
	(globalThis as {gc?: () => void}).gc?.();
	await state().endBulk();
	expect(await ended).toBe(false);
}, 3000);
