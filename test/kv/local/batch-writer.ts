// Writes batches for ever, or as many as it is told, and prints the number of each once it is acknowledged:
// `batch-writer.ts ROOT NAMESPACE RUN [BATCHES]`. Each batch writes new keys of its own, and the same shared keys anew.
import {writeSync} from 'node:fs';
import {openLocalStore} from '../../../source/kv/local/store.ts';

const [root = '', namespace = '', run = '', batches = 'Infinity'] = process.argv.slice(2);
const never = new AbortController().signal;
const store = openLocalStore({root, namespace});

for (let batch = 0; batch < Number(batches); batch++) {
	const own = Array.from({length: 40}, (_, index) => ({
		key: `${run}:${batch}:${index}`,
		value: `${run}:${batch}`,
	}));
	const shared = Array.from({length: 20}, (_, index) => ({key: `shared:${index}`, value: `${run}:${batch}`}));
	await store.putMany([...own, ...shared], never);
	writeSync(1, `${batch}\n`);
}
store[Symbol.dispose]();
