// Writes BATCHES batches, or endlessly, and prints the index of each once it is acknowledged:
// `batch-writer.ts ROOT NAMESPACE RUN [BATCHES]`. Each batch writes 40 new and overwrites 20 shared keys.
import {writeSync} from 'node:fs';
import {openLocalStore} from '../../../source/kv/local/store.ts';

const [root = '', namespace = '', run = '', batchCount = 'Infinity'] = process.argv.slice(2);
const neverAborted = new AbortController().signal;
const store = openLocalStore({root, namespace});

for (let batch = 0; batch < Number(batchCount); batch++) {
	const ownEntries = Array.from({length: 40}, (_, index) => ({
		key: `${run}:${batch}:${index}`,
		value: `${run}:${batch}`,
	}));
	const sharedEntries = Array.from({length: 20}, (_, index) => ({
		key: `shared:${index}`,
		value: `${run}:${batch}`,
	}));
	await store.putMany([...ownEntries, ...sharedEntries], neverAborted);
	writeSync(1, `${batch}\n`);
}
store[Symbol.dispose]();
